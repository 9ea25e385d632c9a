import { runDurability } from './measure/durability.ts';

/**
 * Kills the service at random moments under load: node bench/durability.ts [rounds] [writes per
 * round].
 */
const [rounds = 5, writes = 300] = process.argv.slice(2).map(Number);

console.log('round  acknowledged  killed after  ready again');
const result = await runDurability({
  rounds,
  writes,
  endpoints: 3,
  now: () => performance.now(),
  report: ({ round, acknowledged, killedAfter, restartMs }) =>
    console.log(
      `${String(round).padStart(5)}  ${String(acknowledged).padStart(12)}  ${String(killedAfter).padStart(5)} writes  ${restartMs.toFixed(0).padStart(8)} ms`,
    ),
});
console.log(`
acknowledged expenses             ${result.acknowledged}
deliveries at 3 endpoints         ${result.deliveries}
lost                              ${result.lost}
duplicates                        ${result.duplicates}
duplicates with other bytes       ${result.changedDuplicates}
expenses with several event ids   ${result.splitEvents}
all delivered after the restart   ${result.settledMs.toFixed(0)} ms`);
process.exitCode = result.lost + result.changedDuplicates + result.splitEvents === 0 ? 0 : 1;
