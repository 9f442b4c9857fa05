/** Events and ladders that the service sends: docs/formats.md describes them. Types only, never loaded. */

import { GameSummary } from './types.js';

export interface EventSummary {
	id: string;
	kind: string;
	name: string;
	made_ms: number;
	finished: boolean;
	games: { total?: number | null; ended: number; running: number };
	records: number;
	/** Reason why the journal cannot be followed any more. */
	fault: string | null;
}

export interface EventView extends Omit<EventSummary, 'games'> {
	counts: EventSummary['games'];
	games: GameSummary[];
	standings: {
		rank: number;
		player: string;
		games: number;
		wins: number;
		draws: number;
		losses: number;
		points: number;
		margin: number;
	}[];
	crosstable: { players: string[]; points: (number | null)[][]; games: (number | null)[][] } | null;
	/** State of a tournament that the service plays, has played, or can resume. */
	run: {
		status: 'running' | 'stopping' | 'stopped' | 'failed' | 'finished';
		reason: string | null;
		messages: string[];
	} | null;
}

export interface Rung {
	place: number;
	name: string;
	version: string | null;
	games: number;
	won: number;
	drawn: number;
	lost: number;
	score: number;
	elo: { elo: number; low: number; high: number };
	rating: number;
	deviation: number;
}

export interface Ladder {
	variant: string;
	games: number;
	events: { id: string; name: string }[];
	rungs: Rung[];
	meetings: {
		players: { name: string; version: string | null }[];
		won: number;
		drawn: number;
		lost: number;
		elo: { elo: number | null; low: number | null; high: number | null; score: number };
	}[];
	variants: { variant: string; games: number }[];
}
