import type { OperationId } from '../../lib/groups.ts';

/** One request that was really sent, and its answer; values that differ from run to run are replaced by steady ones. */
export interface RecordedCall {
  readonly operation: OperationId;
  /** Key of the example in the document. */
  readonly name: string;
  readonly summary: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  readonly answer: unknown;
}

/** An event as a receiver got it. */
export interface RecordedEvent {
  readonly event: Readonly<Record<string, unknown>>;
}

export interface Recording {
  readonly calls: readonly RecordedCall[];
  readonly events: readonly RecordedEvent[];
}
