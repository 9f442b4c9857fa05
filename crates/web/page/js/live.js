/** What is known of all events and running games, from the messages of the stream. */

/** @import { EventSummary } from './event-types.js' */
/** @import { Live, Message } from './types.js' */

/** Events and games by id. */
export class LiveGames {
	constructor() {
		/** @type {Map<string, EventSummary>} */
		this.events = new Map();
		/** Running games, and those that ended while the page was open. @type {Map<string, Live>} */
		this.games = new Map();
		/** Position of the stream. */
		this.id = '';
	}

	/** Applies a message. @param {Message} message */
	apply({ event, data, id }) {
		if (id) this.id = id;
		if (event === 'journal') {
			this.events.set(data.event.id, data.event);
			for (const [key, game] of this.games) {
				if (game.journal === data.event.id && game.status === 'running') this.games.delete(key);
			}
			for (const game of data.running) this.games.set(game.id, game);
		} else if (event === 'record') {
			const summary = this.events.get(data.journal);
			if (summary) summary.records = Math.max(summary.records, data.n + 1);
			if (summary && data.type === 'finished') summary.finished = true;
			if (data.live) this.games.set(data.live.id, { ...data.live, heard_ms: Date.now() });
			if (data.type === 'ended' && summary) summary.games.ended += 1;
		} else if (event === 'thinking') {
			const game = this.games.get(data.game);
			if (game) game.thinking = data.thinking;
		} else if (event === 'gone') {
			this.events.delete(data.journal);
			for (const [key, game] of this.games) {
				if (game.journal === data.journal) this.games.delete(key);
			}
		}
	}

	/** Copy that can be sent to other tabs. */
	snapshot() {
		return { id: this.id, events: [...this.events.values()], games: [...this.games.values()] };
	}

	/** Takes the copy of another tab. @param {ReturnType<LiveGames['snapshot']>} copy */
	restore(copy) {
		this.id = copy.id;
		this.events = new Map(copy.events.map(event => [event.id, event]));
		this.games = new Map(copy.games.map(game => [game.id, game]));
	}
}
