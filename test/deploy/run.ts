import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Region, regions } from '../../shared/core/config.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { checksOf, type Tally } from './check.ts';
import { endAll, onStop } from './children.ts';
import { bootstrap, deploy, deployInTwoSteps, regionWithNotices, stackName, stagedRegion, stagedStack, synthesize } from './deploy.ts';
import { type Emulator, removeFolders, startEmulator } from './emulator.ts';
import { checkEdges, checkRegions } from './journey/access.ts';
import { checkCheckout } from './journey/checkout.ts';
import { checkCommand } from './journey/command.ts';
import { checkDeliveries } from './journey/deliveries.ts';
import { checkNotices } from './journey/notices.ts';
import { checkCatalog, checkExpenses, checkOrders } from './journey/records.ts';
import { openShop, type Shop } from './journey/shop.ts';
import { checkStage } from './journey/stage.ts';
import { pythonTool } from './python.ts';
import { carryOutSchedules } from './schedules.ts';

const logFile = fileURLToPath(new URL('../../.local/deploy/emulator.log', import.meta.url));
let started = false;
const tally: Tally = { passed: 0, failed: 0 };
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const startMs = performance.now();
const stage = (name: string): void => print(`== ${name} (at ${((performance.now() - startMs) / 1000).toFixed(0)} s)`);

const journey = async (region: Region, url: string, emulator: Emulator, receiver: Receiver): Promise<Shop | undefined> => {
  const shop = await openShop(region, url, emulator, checksOf(region, tally, print));
  if (!shop) return undefined;
  const schedules = carryOutSchedules(emulator, region);
  // Deliveries wait for their retry schedule; checks that create no order run meanwhile.
  const deliveries = checkDeliveries(shop, receiver, schedules).finally(() => schedules.stop());
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

/**
 * Deploys one region alone first, because it depends on no other. Resolves with the URL of each
 * deployed region.
 */
const deployAll = async (emulator: Emulator): Promise<Partial<Record<Region, string>>> => {
  const urls: Partial<Record<Region, string>> = {};
  const deployOne = (region: Region, statement: string) =>
    checksOf(
      region,
      tally,
      print,
    )(statement, async () => {
      const { ApiUrl } = await deploy(emulator, stackName(region));
      if (ApiUrl === undefined) throw new Error('The stack has no output ApiUrl.');
      urls[region] = ApiUrl;
    });
  await deployOne('eu', 'cdk deploy of this stack alone');
  await checksOf(
    stagedRegion,
    tally,
    print,
  )('a change set of the stage is prepared and then executed, from the assembly that holds production', () =>
    deployInTwoSteps(emulator, stagedStack),
  );
  await Promise.all(regions.filter((region) => region !== 'eu').map((region) => deployOne(region, 'cdk deploy')));
  return urls;
};

const main = async (): Promise<void> => {
  stage('Python tools');
  const python = await pythonTool('python');
  stage('emulator');
  const emulator = await startEmulator(python, logFile);
  started = true;
  stage('synthesis and bootstrap');
  await Promise.all([synthesize(emulator), bootstrap(emulator)]);
  stage('deployment');
  const urls = await deployAll(emulator);
  stage('journeys');
  const receiver = await startReceiver();
  try {
    const shops = await Promise.all(
      regions.map((region) => {
        const url = urls[region];
        return url === undefined ? undefined : journey(region, url, emulator, receiver);
      }),
    );
    const open = shops.filter((shop) => shop !== undefined);
    await checkStage(open, emulator);
    await checkRegions(open, Object.fromEntries(open.map(({ region }) => [region, urls[region]])) as Record<Region, string>, emulator);
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
