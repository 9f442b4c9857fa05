/** Replay of a game: the ply that is shown, and the clock that moves it. */

/** Plies per second of the speeds. */
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];

/** Position in a game that is watched or replayed. */
export class Timeline {
	/** @param {(ply: number) => void} show called whenever the ply changes */
	constructor(show) {
		this.show = show;
		this.ply = 0;
		this.last = 0;
		this.speed = 1;
		/** True if the newest ply is followed. */
		this.following = true;
		/** @type {ReturnType<typeof setTimeout> | undefined} */
		this.timer = undefined;
	}

	get playing() {
		return this.timer !== undefined;
	}

	/** Takes the number of plies; moves along if the newest one was shown. @param {number} last */
	extend(last) {
		const moves = this.following || this.ply > last;
		this.last = last;
		if (moves && this.ply !== last) {
			this.ply = last;
			this.show(last);
		}
	}

	/** Shows a ply. @param {number} ply */
	go(ply) {
		const next = Math.max(0, Math.min(this.last, Math.round(ply)));
		this.following = next === this.last;
		if (next === this.ply) return;
		this.ply = next;
		this.show(next);
	}

	/** Shows the ply that an address names, or else the last one. @param {string} [text] */
	find(text = '') {
		this.go(/^\d+$/.test(text) ? Number(text) : this.last);
	}

	/** Moves by plies. @param {number} plies */
	step(plies) {
		this.stop();
		this.go(this.ply + plies);
	}

	/** Plays, or pauses. From the end, it plays from the beginning. */
	toggle() {
		if (this.playing) {
			this.stop();
			return;
		}
		if (this.ply === this.last) this.go(0);
		this.#wait();
	}

	stop() {
		clearTimeout(this.timer);
		this.timer = undefined;
	}

	/** Changes the speed by steps, or resets it with 0. @param {number} step */
	faster(step) {
		const at = step === 0 ? SPEEDS.indexOf(1) : SPEEDS.indexOf(this.speed) + step;
		this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at))];
		if (this.playing) {
			this.stop();
			this.#wait();
		}
	}

	#wait() {
		this.timer = setTimeout(() => {
			if (this.ply + 1 >= this.last) this.timer = undefined;
			this.go(this.ply + 1);
			if (this.playing) this.#wait();
		}, 1000 / this.speed);
	}
}

/**
 * Handles the keys of watching; returns true if the key is one of them.
 * @param {Timeline} timeline
 * @param {KeyboardEvent} event
 */
export function watchKey(timeline, event) {
	const far = event.shiftKey ? 10 : 1;
	/** @type {Record<string, () => void>} */
	const keys = {
		' ': () => timeline.toggle(),
		ArrowLeft: () => timeline.step(-far),
		ArrowRight: () => timeline.step(far),
		Home: () => timeline.step(-Infinity),
		End: () => timeline.step(Infinity),
		'+': () => timeline.faster(1),
		'-': () => timeline.faster(-1),
		'=': () => timeline.faster(0),
	};
	if (!Object.hasOwn(keys, event.key)) return false;
	keys[event.key]();
	return true;
}
