import { useEffect, useRef, useState } from 'preact/hooks';
import type { Change } from '../contract.ts';
import { useSurroundings } from './surroundings.ts';

/** An error in words for the user. */
export interface Failure {
  readonly message: string;
  /** The invalid input field. */
  readonly field?: string;
  /** The service did not answer. */
  readonly isDown: boolean;
}

const downCodes: readonly unknown[] = [undefined, 'internal_error', 'service_unavailable'];
/** Whether an error says that the service is down. A rejected request has a code. */
export const saysDown = (error: unknown): boolean => downCodes.includes((error as { code?: unknown } | undefined)?.code);

/** Returns null for what the account does not have. */
export const orNull = async <Value>(reading: Promise<Value>): Promise<Value | null> => {
  try {
    return await reading;
  } catch (error) {
    if ((error as { code?: unknown } | undefined)?.code === 'not_found') return null;
    throw error;
  }
};

export const failureOf = (error: unknown): Failure => {
  const { message, field } = (error ?? {}) as { message?: unknown; field?: unknown };
  return {
    message: typeof message === 'string' && message !== '' ? message : 'Something went wrong. Try again.',
    ...(typeof field === 'string' ? { field } : {}),
    isDown: saysDown(error),
  };
};

export interface Work {
  readonly busy: boolean;
  readonly failure: Failure | undefined;
  /** Runs one call at a time: ignores a second click during the first. */
  run(task: (change: Change) => Promise<void>): Promise<void>;
}

/** Work that a user starts. */
export const useWork = (): Work => {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const running = useRef(false);
  const { change } = useSurroundings();
  return {
    busy,
    failure,
    async run(task) {
      if (running.current) return;
      running.current = true;
      setBusy(true);
      setFailure(undefined);
      try {
        await task(change);
      } catch (error) {
        setFailure(failureOf(error));
      } finally {
        running.current = false;
        setBusy(false);
      }
    },
  };
};

export interface Loaded<Value> {
  /** The latest loaded value, kept while a reload runs or fails. */
  readonly value: Value | undefined;
  readonly failure: Failure | undefined;
  readonly loading: boolean;
  reload(): Promise<void>;
  replace(change: (value: Value) => Value): void;
}

/** Loads a value, again whenever `key` changes. Drops outdated responses. */
export const useLoaded = <Value>(load: () => Promise<Value>, key: string): Loaded<Value> => {
  const [state, setState] = useState<{ value?: Value; failure?: Failure; loading: boolean }>({ loading: true });
  const { turn: pageTurn } = useSurroundings();
  const turn = useRef(0);
  const reload = async () => {
    turn.current += 1;
    const mine = turn.current;
    setState(({ value }) => ({ loading: true, ...(value === undefined ? {} : { value }) }));
    try {
      const value = await load();
      if (mine === turn.current) setState({ value, loading: false });
    } catch (error) {
      if (mine === turn.current)
        setState(({ value }) => ({ failure: failureOf(error), loading: false, ...(value === undefined ? {} : { value }) }));
    }
  };
  useEffect(() => {
    void reload();
    return () => {
      turn.current += 1;
    };
  }, [key, pageTurn]);
  return {
    value: state.value,
    failure: state.failure,
    loading: state.loading,
    reload,
    replace: (change) => setState((now) => (now.value === undefined ? now : { ...now, value: change(now.value) })),
  };
};
