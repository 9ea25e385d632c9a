import { type Latencies, measureFairness } from './measure/fairness.ts';

/**
 * Measures one account's deliveries, alone and behind another account's backlog at a hanging
 * endpoint: node bench/fairness.ts [backlog] [deliveries].
 */
const [backlog = 200, deliveries = 50] = process.argv.slice(2).map(Number);

const { alone, behindBacklog, hanging, ended } = await measureFairness({ backlog, deliveries, now: () => performance.now() });
const row = (title: string, { p50, p95, max }: Latencies) =>
  console.log(`${title.padEnd(34)}${[p50, p95, max].map((ms) => `${ms.toFixed(0)} ms`.padStart(10)).join('')}`);

console.log(`${deliveries} deliveries, from write to arrival`.padEnd(34) + ['p50', 'p95', 'max'].map((name) => name.padStart(10)).join(''));
row('alone', alone);
row(`behind ${backlog} that hang`, behindBacklog);
const ratio = behindBacklog.p95 / alone.p95;
console.log(`p95 is ${ratio.toFixed(2)} times its figure alone; of the backlog ${hanging} hang and ${ended} have ended.`);
process.exitCode = ratio <= 2 ? 0 : 1;
