import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Region } from '../../shared/core/config.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { checksOf, type Tally } from './check.ts';
import { endAll, onStop } from './children.ts';
import { type Deployed, deployInTwoSteps, regionWithNotices, stackName, stacks, stagedRegion, stagedStack, urlOf } from './deploy.ts';
import { type Emulator, removeFolders, startEmulator } from './emulator.ts';
import { checkEdges, checkRegions } from './journey/access.ts';
import { checkAccounts } from './journey/accounts.ts';
import { checkCheckout } from './journey/checkout.ts';
import { checkCommand } from './journey/command.ts';
import { checkDeliveries } from './journey/deliveries.ts';
import { checkNotices } from './journey/notices.ts';
import { checkCatalog, checkExpenses, checkOrders } from './journey/records.ts';
import { openShop, type Shop } from './journey/shop.ts';
import { checkStage } from './journey/stage.ts';
import { pythonTool } from './python.ts';
import { startReader } from './reader.ts';
import { carryOutSchedules, type Schedules } from './schedules.ts';
import { assertFollowed, walkEu, walkStage } from './walks.ts';

const logFile = fileURLToPath(new URL('../../.local/deploy/emulator.log', import.meta.url));
let started = false;
const tally: Tally = { passed: 0, failed: 0 };
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const startMs = performance.now();
const stage = (name: string): void => print(`== ${name} (at ${((performance.now() - startMs) / 1000).toFixed(0)} s)`);

const checkOf = (subject: string) => checksOf(subject, tally, print);

const journey = async (deployed: Deployed, emulator: Emulator, receiver: Receiver, schedules: Schedules): Promise<Shop | undefined> => {
  const { region } = deployed;
  const shop = await openShop(deployed, emulator, checkOf(region));
  if (!shop) return undefined;
  // Deliveries wait for their retry schedule; checks that create no order run meanwhile.
  const deliveries = checkDeliveries(shop, receiver, schedules);
  const notices = region === regionWithNotices ? checkNotices(shop, receiver, emulator) : undefined;
  await checkEdges(shop);
  await checkExpenses(shop);
  const product = await checkCatalog(shop);
  await Promise.all([deliveries, notices]);
  await checkOrders(shop);
  await checkCheckout(shop, product);
  if (region === 'us') await checkCommand(shop, receiver, emulator);
  return shop;
};

/** Two operators follow the pages at the same time: one for eu alone, one for a stage and production. */
const followPages = async (emulator: Emulator, receiver: Receiver): Promise<void> => {
  const watchers = Object.fromEntries(stacks.map(({ region, stack }) => [stack, carryOutSchedules(emulator, region, stack)]));
  const schedulesOf = (stack: string): Schedules => watchers[stack] as Schedules;
  const followed = new Set<string>();
  const [alone, both, accounts] = await Promise.all(['alone', 'both', 'accounts'].map((name) => startReader(emulator, name, followed)));
  if (!alone || !both || !accounts) return;
  const play = async (region: Region): Promise<Shop | undefined> => {
    const stack = stackName(region);
    return journey({ region, stack, url: await urlOf(emulator, { region, stack }) }, emulator, receiver, schedulesOf(stack));
  };
  const eu = walkEu(checkOf('eu'), alone);
  const playEu = async () => {
    if (!(await eu.deploy())) return undefined;
    const [shop] = await Promise.all([play('eu'), checkAccounts(checkOf('accounts'), accounts, emulator)]);
    // `ops check` finds its own requests among those of the last minute.
    await eu.operate();
    return shop;
  };
  const playOthers = async () => {
    if (!(await walkStage(checkOf, both))) return [];
    const prepared = checkOf('au')('a change set of the assembly that holds the stage is prepared and then executed', () =>
      deployInTwoSteps(emulator, both, stackName('au')),
    );
    const staged = { region: stagedRegion, stack: stagedStack, url: await urlOf(emulator, { region: stagedRegion, stack: stagedStack }) };
    const [us, stage, au] = await Promise.all([
      play('us'),
      openShop(staged, emulator, checkOf('staging-us')),
      prepared.then((works) => (works ? play('au') : undefined)),
    ]);
    if (us && stage) await checkStage(stage, us, receiver, schedulesOf(stagedStack));
    return [us, au];
  };
  try {
    const [shop, others] = await Promise.all([playEu(), playOthers()]);
    const shops = [shop, ...others].filter((one) => one !== undefined);
    const urls = await Promise.all(shops.map(async ({ region }) => [region, await urlOf(emulator, { region, stack: stackName(region) })]));
    await checkRegions(shops, Object.fromEntries(urls), emulator);
    await eu.remove();
    await checkOf('pages')('each sample of the pages was followed', async () => assertFollowed(followed));
  } finally {
    await Promise.all(Object.values(watchers).map((schedules) => schedules.stop()));
  }
};

const main = async (): Promise<void> => {
  stage('Python tools');
  const python = await pythonTool('python');
  stage('emulator');
  const emulator = await startEmulator(python, logFile);
  started = true;
  stage('pages and journeys');
  const receiver = await startReceiver();
  try {
    await followPages(emulator, receiver);
  } finally {
    await receiver.stop();
  }
};

/** Removes everything of the run except the emulator's log. */
const tearDown = async (): Promise<void> => {
  await endAll();
  await removeFolders();
};

/** Number of lines that hold the last minute of three busy regions. */
const printedLines = 150;

/** Prints the functions' last log lines. The log file of a run elsewhere may be out of reach. */
const printFunctionLines = (): void => {
  const lines = readFileSync(logFile, 'utf8').split('\n');
  const own = lines.filter((line) => line.startsWith('{') || /error|timed out/i.test(line));
  print(`The emulator's log is ${logFile}. The functions' last lines:\n${own.slice(-printedLines).join('\n')}`);
};

let finishing = false;
const finish = async (reason?: unknown): Promise<void> => {
  // Commands that the end of the run interrupts also fail; ending once is enough.
  if (finishing) return;
  finishing = true;
  if (reason !== undefined) {
    tally.failed += 1;
    print(`FAIL  ${reason instanceof Error ? reason.message : String(reason)}`);
  }
  await tearDown();
  if (tally.failed > 0 && started) printFunctionLines();
  stage('end');
  print(`${tally.passed} passed, ${tally.failed} failed`);
  process.exit(tally.failed > 0 ? 1 : 0);
};

onStop(() => void finish('Stopped.'));
await main().then(
  () => finish(),
  (error: unknown) => finish(error),
);
