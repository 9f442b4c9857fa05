/** Reader of server-sent events. */

/** @import { Message } from './types.js' */

/** Parses a stream of server-sent events, piece by piece. */
export class EventReader {
	constructor() {
		this.buffer = '';
		this.id = '';
		this.event = '';
		/** @type {string[]} */
		this.data = [];
		/** Delay before a new connection in milliseconds. */
		this.retry = 1000;
	}

	/**
	 * Reads a piece, and returns the messages that it completes.
	 * @param {string} piece
	 * @returns {Message[]}
	 */
	read(piece) {
		this.buffer += piece;
		const lines = this.buffer.split('\n');
		this.buffer = /** @type {string} */ (lines.pop());
		/** @type {Message[]} */
		const messages = [];
		for (const raw of lines) {
			const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
			if (line === '') this.#end(messages);
			else this.#field(line);
		}
		return messages;
	}

	/** @param {string} line */
	#field(line) {
		const colon = line.indexOf(':');
		const name = colon < 0 ? line : line.slice(0, colon);
		const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
		if (name === 'data') this.data.push(value);
		else if (name === 'event') this.event = value;
		else if (name === 'id') this.id = value;
		else if (name === 'retry' && /^\d+$/.test(value)) this.retry = Number(value);
	}

	/** @param {Message[]} messages */
	#end(messages) {
		if (this.data.length > 0) {
			messages.push({
				event: this.event || 'message',
				data: JSON.parse(this.data.join('\n')),
				...(this.id ? { id: this.id } : {}),
			});
		}
		this.event = '';
		this.data = [];
	}
}
