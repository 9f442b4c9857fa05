/** Objects that the service sends: docs/formats.md describes them. Types only, never loaded. */

/** Column and row, 0-based from the upper left corner. */
export type Cell = [number, number];

export interface Legal {
	count: number;
	actions: number[];
	codes: string[];
}

export interface ColourState {
	seat: number;
	shared: boolean;
	left: string;
	cells_placed: number;
	score: number;
	void: number;
	mobility: number;
	corner_points: Cell[];
	forbidden: Cell[];
	out: boolean;
}

export interface Turn {
	colour: number;
	seat: number;
}

export interface State {
	version: number;
	variant: string;
	ply: number;
	to_move: Turn | null;
	over: boolean;
	board: string[];
	colours: ColourState[];
	legal: Legal;
	clock?: { left_ms: (number | null)[]; asked_at_ms: number };
	result: {
		seats: { seat: number; score: number; place: number }[];
		winners: number[];
		draw: boolean;
	} | null;
}

export interface TileShape {
	tile: string;
	rotation: number;
	width: number;
	height: number;
	centre: Cell;
	first_action: number;
	pos: Cell[];
}

export interface TileTable {
	size: number;
	pass: number;
	orientations: TileShape[];
}

/** Index of the orientation, and the anchor. */
export interface Placement {
	o: number;
	x: number;
	y: number;
}

export interface Verdict {
	legal: boolean;
	/** Canonical code of the placement. */
	code: string;
	/** Name of the reason of refusal; empty if legal. */
	reason: string;
	/** The reason in words. */
	text: string;
	/** Cell at fault. */
	cell: Cell | null;
}

export interface SeatInfo {
	name: string;
	kind?: 'person' | 'player' | 'unknown';
	/** True if the times contain those of a browser. */
	unofficial?: boolean;
	colours: number[];
}

export interface GameSummary {
	id: string;
	journal: string;
	number: number;
	round?: number | null;
	kind: string;
	variant: string;
	status: 'running' | 'ended' | 'annulled' | 'damaged';
	seats: SeatInfo[];
	ply: number;
	to_move: Turn | null;
	thinking: boolean;
	result: {
		scores: number[];
		winners: number[];
		draw: boolean;
		ending: string;
		detail: string;
	} | null;
	scores: number[];
	begun_ms: number;
	ended_ms: number | null;
	playable: boolean;
}

export interface GameMove {
	ply: number;
	colour: number;
	seat: number;
	code: string;
	legal: number;
	us: number | null;
	sim_us?: number | null;
	host_us?: number | null;
	forfeit: boolean;
	at_ms?: number | null;
}

export interface Game extends GameSummary {
	moves: GameMove[];
	state: State;
	undo: boolean;
	/** True if the service has the bytes of devices. */
	wire: boolean;
	/** Number of records of the journal that this answer contains. */
	records: number;
}

/** Bytes that travelled together, or a remark, which has no direction. */
export interface WireEntry {
	us: number;
	sim_us: number | null;
	seat: number | null;
	ply: number | null;
	dir: 'to-board' | 'from-board' | null;
	text: string;
	hex: string | null;
	meaning: string[];
}

/** Port of WebSerial: the part that the page uses. */
export interface SerialPort {
	open(line: object): Promise<void>;
	close(): Promise<void>;
	readonly readable: ReadableStream<Uint8Array<ArrayBuffer>> | null;
	readonly writable: WritableStream<Uint8Array>;
}

/** Result of a conformance check. */
export interface Check {
	number: number;
	name: string;
	about: string;
	verdict: 'passed' | 'failed' | 'warned' | 'not-reached' | 'blocked' | 'not-run';
	text: string;
	bytes: string[];
}

export interface Wire {
	game: string;
	entries: WireEntry[];
	truncated: boolean;
	files: string[];
	replay: string | null;
}

/** Decision of the twin, or of the hardware in simulation. */
export interface Decision {
	reply: string;
	score: number | null;
	proven: boolean;
	simulations: number | null;
	legal: number;
	only: string[];
	cycles: number | null;
	best: { code: string; score: number; visits?: number; prior?: number; proven?: boolean }[];
}

export interface Comparison {
	id: string;
	status: 'waiting' | 'running' | 'done' | 'cancelled' | 'failed';
	game: string;
	ply: number;
	player: string;
	simulations: number | null;
	reason: string | null;
	device: { reply: string; legal: number; us: number; sim_us: number | null } | null;
	twin: Decision | null;
	hardware: Decision | null;
	differences: {
		ply: number;
		what: string;
		twin: string;
		hardware: string;
		device: string | null;
	}[];
	command: string;
}

/** What the panels need of a game. */
export interface ReplayedGame
	extends Pick<Game, 'id' | 'seats' | 'ply' | 'result'>, Partial<Pick<Game, 'thinking'>> {
	moves: (GameMove & { better?: string | null; lost?: number | null })[];
}

/** Game of a replay in a single file. */
export interface ReplayGame extends ReplayedGame {
	variant: string;
	size: number;
	starts: Cell[][];
	moves: (GameMove & { comment: string; better: string | null; lost: number | null })[];
	ended_ms: number | null;
	facts: { name: string; value: string }[];
	comment: string;
	evaluations: { chance: number; margin: number | null; exact: boolean }[];
	refused: { colour: number; code: string; reason: string; cell: Cell | null } | null;
	texts: { title: string; text: string }[];
	states: State[];
}

export interface Replay {
	version: number;
	title: string;
	text: string;
	tables: TileTable[];
	games: ReplayGame[];
}

export interface Live extends GameSummary {
	/** Time of the last record by the clock of this browser, in milliseconds since 1970. */
	heard_ms?: number;
	last: { ply: number; colour: number; code: string; us: number | null } | null;
	board: string[];
	colours: {
		seat: number;
		left: string;
		cells_placed: number;
		score: number;
		void: number;
		mobility: number;
		out: boolean;
		shared?: boolean;
	}[];
}

export interface Candidate {
	code: string;
	action: number;
	visits: number;
	prior: number;
	value: number;
	wins: number | null;
	margin: number | null;
	moves: string[];
}

export interface Analysis {
	id: string;
	status: 'waiting' | 'running' | 'done' | 'cancelled';
	position: { variant: string; codes: string[] };
	limit: { simulations?: number; ms?: number };
	queue: number;
	simulations: number;
	time_ms: number;
	value: number | null;
	margin: number | null;
	solved: { code: string; margin: number; exact: boolean } | null;
	candidates: Candidate[];
}

/** Node of a tree; the first one is the root. */
export interface TreeNode {
	parent?: number;
	code?: string;
	comment?: string;
	value?: number;
	properties?: { name: string; values: string[] }[];
}

export interface TreeData {
	variant: string;
	players?: string[];
	facts?: Record<string, string>;
	nodes: TreeNode[];
}

export interface Variant {
	name: string;
	size: number;
	seats: number;
	colours: { seat: number | null; shared: boolean; starts: Cell[] }[];
	scoring: string;
}

export interface PlayerInfo {
	name: string;
	label: string;
	kind: string;
	levels: number | null;
	variants: string[];
	undo: boolean;
	/** True if only one instance exists. */
	single: boolean;
	/** True if a game, an examination or a tournament uses it now. */
	busy: boolean;
}

export interface Identification {
	team: string | null;
	build: string | null;
	fault: string | null;
	bytes: WireEntry[];
}

export interface Conformance {
	id: string;
	status: 'waiting' | 'running' | 'done' | 'cancelled' | 'failed';
	player: string;
	reason: string | null;
	team: string | null;
	steps: {
		number: number;
		name: string;
		about: string;
		kind: 'required' | 'advice';
		verdict: string | null;
		text: string | null;
		seconds: number | null;
		bytes: string[];
	}[];
	bytes: WireEntry[];
}

/** Message of the event stream; `id` is the position of the stream after it. */
export interface Message {
	event: string;
	data: any;
	id?: string;
}
