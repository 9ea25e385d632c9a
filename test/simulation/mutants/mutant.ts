/** A mutant of the product and the scenario that finds it. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Text that must occur exactly once, and its replacement. */
  readonly find: string;
  readonly replace: string;
  /** The seed that finds it at the level `many`, and the number of the invariant that it breaks. */
  readonly seed: number;
  readonly invariant: number;
}
