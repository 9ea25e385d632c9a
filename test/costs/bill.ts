import type { Deployment, LogClass } from './deployment.ts';
import type { Operation } from './meter.ts';
import { type Invocation, totalOf } from './meter.ts';
import { perMillion, prices } from './prices.ts';

/**
 * Assumptions for the duration of an invocation. Measured durations depend on the machine and the
 * hour. These round figures are fixed, so a bill changes only when the code does.
 *
 * - A call to DynamoDB takes 4 ms with its network. A transaction takes about three times as long.
 *   SQS and EventBridge Scheduler count as slow as a transaction.
 * - A receiver of webhooks responds in 100 ms, including its new TLS connection.
 * - CPU is one whole vCPU, which Lambda gives to 1,769 MB. The times of calls
 *   were measured once, over the SDK, and rounded up.
 */
export const assumptions = {
  tripMs: 4,
  transactionMs: 12,
  sendMs: 12,
  postMs: 100,
  cpuMs: { invocation: 0.5, post: 1.5, call: 1.2 },
  mbOfOneCpu: 1769,
} as const;

/** Bytes that CloudWatch adds to every event. */
const bytesOfEvent = 26;

/**
 * Lambda's own lines of a successful invocation in its JSON format, by the log level that includes
 * them.
 */
const platformLines = [
  { type: 'platform.start', level: 'INFO', bytes: 140 },
  { type: 'platform.report', level: 'INFO', bytes: 280 },
  { type: 'platform.runtimeDone', level: 'DEBUG', bytes: 260 },
] as const;
const levels = ['DEBUG', 'INFO', 'WARN'];

/** US dollars per million operations, by cost item. */
export interface Bill {
  readonly gateway: number;
  readonly invocations: number;
  readonly compute: number;
  readonly reads: number;
  readonly writes: number;
  readonly queue: number;
  readonly logs: number;
  readonly total: number;
}

/** Milliseconds of waiting and of one whole vCPU, calculated from calls. */
export const timesOf = (
  { trips, transactions, sends, schedules, posts, calls }: Invocation,
  jobs: number,
): { readonly waitMs: number; readonly cpuMs: number } => {
  const { tripMs, transactionMs, sendMs, postMs, cpuMs } = assumptions;
  return {
    waitMs: (trips - transactions) * tripMs + transactions * transactionMs + (sends + schedules) * sendMs + posts * postMs,
    cpuMs: cpuMs.invocation + (calls + sends + schedules) * cpuMs.call + (posts > 0 ? cpuMs.post * jobs : 0),
  };
};

/** Billed duration: CPU time grows as memory gives a smaller share of a vCPU. */
export const durationMs = (invocation: Invocation, { memoryMb }: Deployment, jobs: number): number => {
  const { waitMs, cpuMs } = timesOf(invocation, jobs);
  return waitMs + cpuMs * Math.max(1, assumptions.mbOfOneCpu / memoryMb(invocation.function));
};

const logged = (lines: readonly number[], logClass: LogClass): number =>
  perMillion(
    prices.logGb[logClass] / 1_000,
    lines.reduce((sum, bytes) => sum + bytes + bytesOfEvent, 0),
  );

/** Lambda's lines at a system log level. */
const platformBytes = (systemLogLevel: string): number[] =>
  platformLines.filter(({ level }) => levels.indexOf(level) >= levels.indexOf(systemLogLevel)).map(({ bytes }) => bytes);

const sampleOf = (name: string, route: string): string => {
  const samples: Readonly<Record<string, string>> = { routeKey: route, requestId: 'JKJaXmPLvHcESHA=', requestTimeEpoch: '1795262400000' };
  return samples[name] ?? (/Message$/.test(name) ? '-' : '200');
};

/** Bytes of the gateway's line about a completed request. */
export const accessLogBytes = (format: string, route: string): number =>
  Buffer.byteLength(format.replace(/\$context\.(\w+)/g, (_, name: string) => sampleOf(name, route)));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Cost per million operations in a region with the default configuration: list prices, no free
 * tier, no transfer to the internet.
 */
export const billOf = ({ route, invocations, count }: Operation, deployment: Deployment): Bill => {
  const { httpApi, lambda, readUnit, writeUnit, sqs, scheduler } = prices.requestMillion;
  const each = (price: (invocation: Invocation) => number): number => sum(invocations.map(price)) / count;
  const computeOf = (invocation: Invocation): number =>
    durationMs(invocation, deployment, count) * (deployment.memoryMb(invocation.function) / 1024) * prices.lambdaGbSecond * 1_000;
  const logsOf = ({ function: name, lines }: Invocation): number => {
    const { logClass, systemLogLevel } = deployment.logsOf(name);
    return logged([...lines, ...platformBytes(systemLogLevel)], logClass) * 1_000_000;
  };
  const { accessLog } = deployment;
  // Lambda receives a batch with one call and deletes it with another.
  const polls = invocations.filter(({ function: name }) => name === 'deliver').length * 2;
  const terms = {
    gateway: route === undefined ? 0 : httpApi,
    invocations: each(() => lambda),
    compute: each(computeOf),
    reads: each(({ readUnits }) => readUnits * readUnit),
    writes: each(({ writeUnits }) => totalOf(writeUnits) * writeUnit),
    queue: each(({ sends, schedules }) => sends * sqs + schedules * scheduler) + (polls * sqs) / count,
    logs: each(logsOf) + (route === undefined ? 0 : logged([accessLogBytes(accessLog.format, route)], accessLog.logClass) * 1_000_000),
  };
  return { ...terms, total: sum(Object.values(terms)) };
};
