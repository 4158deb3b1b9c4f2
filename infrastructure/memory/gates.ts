import { type Match, matches, type Occasion } from './faults';

/** `arrival`: before anything. `work`: authorised, and the change not made yet. `answer`: made, and the caller not told yet. */
export type GatePlace = 'arrival' | 'work' | 'answer';

/** A named place where calls stop until a test lets them on. Closed for every matching call until `release`. */
export interface Gate {
  /** Resolves when the first call stands there. */
  readonly reached: Promise<void>;
  release(): void;
}

class StandingGate implements Gate {
  readonly reached: Promise<void>;
  private readonly opened: Promise<void>;
  private arrive: () => void = () => undefined;
  private open: () => void = () => undefined;
  readonly match: Match & { at: GatePlace };
  private readonly forget: (gate: StandingGate) => void;

  constructor(match: Match & { at: GatePlace }, forget: (gate: StandingGate) => void) {
    this.match = match;
    this.forget = forget;
    this.reached = new Promise((resolve) => {
      this.arrive = resolve;
    });
    this.opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }

  enter(): Promise<void> {
    this.arrive();
    return this.opened;
  }

  release(): void {
    this.forget(this);
    this.open();
  }
}

export class Gates {
  private standing: StandingGate[] = [];

  add(match: Match & { at: GatePlace }): Gate {
    const gate = new StandingGate(match, (gone) => {
      this.standing = this.standing.filter((each) => each !== gone);
    });
    this.standing.push(gate);
    return gate;
  }

  at(occasion: Occasion & { place: GatePlace }): { enter(): Promise<void> } | undefined {
    return this.standing.find((gate) => gate.match.at === occasion.place && matches(gate.match, occasion));
  }

  releaseAll(): void {
    for (const gate of [...this.standing]) gate.release();
  }
}
