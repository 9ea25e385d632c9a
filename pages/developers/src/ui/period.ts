/** Limits a list in time. */
export interface Period {
  /** Excludes what is older; null: no limit. */
  readonly sinceMs: number | null;
  /** Excludes this time and what is newer; null: no limit. */
  readonly untilMs: number | null;
}

const minuteMs = 60_000;

/** The minute of an event or a request, with those before and after it. */
export const minutesAround = (iso: string): Period => {
  const minute = Math.floor(Date.parse(iso) / minuteMs);
  return { sinceMs: (minute - 1) * minuteMs, untilMs: (minute + 2) * minuteMs };
};

/** Reads the period of an address; ignores invalid times. */
export const periodOf = (params: URLSearchParams): Period => {
  const [sinceMs = null, untilMs = null] = ['since', 'until']
    .map((name) => Date.parse(params.get(name) ?? ''))
    .map((ms) => (Number.isNaN(ms) ? null : ms));
  return { sinceMs, untilMs };
};

/** The period as parameters of an address and of an action. */
export const periodParams = ({ sinceMs = null, untilMs = null }: Partial<Period>): Readonly<Record<string, string>> => ({
  ...(sinceMs !== null && { since: new Date(sinceMs).toISOString() }),
  ...(untilMs !== null && { until: new Date(untilMs).toISOString() }),
});
