import type { Deployment, LogClass } from './deployment.ts';
import type { Operation } from './meter.ts';
import { type Invocation, totalOf } from './meter.ts';
import { perMillion, prices } from './prices.ts';

/**
 * Durations from which the time of an invocation is calculated. Measured times depend on machine
 * and hour; these are fixed round figures, so that a bill changes only with the code.
 *
 * - A call to DynamoDB takes single-digit milliseconds: 4 with its network. A transaction takes
 *   about three times as long. SQS and EventBridge Scheduler count like a transaction.
 * - A receiver of webhooks responds in 100 ms, with its new TLS connection.
 * - CPU is that of one whole vCPU, which Lambda gives to 1,769 MB: `bench/peer.ts` prints the cost
 *   of calls, rounded up here.
 */
export const assumptions = {
  tripMs: 4,
  transactionMs: 12,
  sendMs: 12,
  postMs: 100,
  cpuMs: { invocation: 0.5, post: 1.5, call: 1.2 },
  mbOfOneCpu: 1769,
} as const;

/** CloudWatch adds so many bytes to every event. */
const bytesOfEvent = 26;

/** Lines that Lambda itself writes of an invocation that succeeds, in its JSON format, by the level from which they are let through. */
const platformLines = [
  { type: 'platform.start', level: 'INFO', bytes: 140 },
  { type: 'platform.report', level: 'INFO', bytes: 280 },
  { type: 'platform.runtimeDone', level: 'DEBUG', bytes: 260 },
] as const;
const levels = ['DEBUG', 'INFO', 'WARN'];

/** US dollars a million of an operation, by what they are paid for. */
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

/** Returns milliseconds of waiting and of one whole vCPU, calculated from calls. */
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

/** Billed duration: CPU stretches by the share of a vCPU that the memory buys. */
export const durationMs = (invocation: Invocation, { memoryMb }: Deployment, jobs: number): number => {
  const { waitMs, cpuMs } = timesOf(invocation, jobs);
  return waitMs + cpuMs * Math.max(1, assumptions.mbOfOneCpu / memoryMb(invocation.function));
};

const logged = (lines: readonly number[], logClass: LogClass): number =>
  perMillion(
    prices.logGb[logClass] / 1_000,
    lines.reduce((sum, bytes) => sum + bytes + bytesOfEvent, 0),
  );

/** The lines of Lambda that a system log level lets through. */
const platformBytes = (systemLogLevel: string): number[] =>
  platformLines.filter(({ level }) => levels.indexOf(level) >= levels.indexOf(systemLogLevel)).map(({ bytes }) => bytes);

const sampleOf = (name: string, route: string): string => {
  const samples: Readonly<Record<string, string>> = { routeKey: route, requestId: 'JKJaXmPLvHcESHA=', requestTimeEpoch: '1795262400000' };
  return samples[name] ?? (/Message$/.test(name) ? '-' : '200');
};

/** Bytes of the gateway's line about a request that is answered. */
export const accessLogBytes = (format: string, route: string): number =>
  Buffer.byteLength(format.replace(/\$context\.(\w+)/g, (_, name: string) => sampleOf(name, route)));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Returns the price of a million operations in a region with nothing configured: list prices, no
 * free tier, no transfer to the internet.
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
  // Lambda takes a batch off the queue by one call and deletes it by another.
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
