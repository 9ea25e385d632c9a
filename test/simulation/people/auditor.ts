import type { Random } from '../scheduler/random.ts';
import type { Span } from './journal.ts';
import { atWork, type Stage } from './person.ts';
import { callAction } from './record-changes.ts';

type Result = Readonly<Record<string, unknown>>;
type Input = Readonly<Record<string, unknown>>;

const mostPages = 60;

/**
 * Reads what an account's dashboard shows: its use, the deliveries of an event, the notices about it, and
 * its export.
 */
const reader = (stage: Stage, name: string) => {
  const { region, journal, tenant } = stage;
  const { account } = tenant;
  const { scheduler } = region.world;

  const read = async (action: string, input: Input, random: Random): Promise<(Span & { readonly result: Result }) | undefined> => {
    const outcome = await callAction(stage, { name, action, input }, random);
    return outcome.kind === 'done' ? outcome : undefined;
  };
  /** Reads all pages of a list. Undefined if a page is rejected. */
  const readPages = async (action: string, input: Input, random: Random): Promise<readonly Result[] | undefined> => {
    const pages: Result[] = [];
    let cursor: unknown = null;
    do {
      const page = await read(action, { ...input, ...(cursor === null ? {} : { cursor }) }, random);
      if (!page) return undefined;
      pages.push(page.result);
      cursor = page.result['next_cursor'];
    } while (cursor !== null && pages.length < mostPages);
    return pages;
  };
  return {
    async use(random: Random): Promise<void> {
      const seen = await read('account.usage', {}, random);
      if (seen) journal.usages.push({ account, ...seen });
    },
    async event(random: Random): Promise<void> {
      if (tenant.endpoints.length === 0) return;
      const events = region.engine.table('simulated').partition(`dlv#${account}#${random.pick(tenant.endpoints)}`)?.order ?? [];
      if (events.length === 0) return;
      const event = random.pick(events);
      const seen = await read('delivery.find', { event_id: event, body: true }, random);
      if (seen) journal.findings.push({ account, event, ...seen });
    },
    async notices(random: Random): Promise<void> {
      const begunMs = scheduler.now();
      const pages = await readPages('notice.list', { limit: 1 + random.below(5) }, random);
      if (pages) journal.noticeLists.push({ account, pages, begunMs, endedMs: scheduler.now() });
    },
    async export(random: Random): Promise<void> {
      const begunMs = scheduler.now();
      const pages = await readPages('account.export', {}, random);
      if (pages) journal.exports.push({ account, pages, begunMs, endedMs: scheduler.now() });
    },
  };
};

const weights = { use: 4, event: 6, notices: 2, export: 1 };

/** An auditor, who reads while others write. */
export const audit = async (stage: Stage): Promise<void> => {
  const name = `auditor-${stage.number}`;
  const reads = reader(stage, name);
  await atWork(stage, {
    name,
    actions: 4 + stage.region.world.scheduler.stream(name).below(6),
    pauseMs: (random) => random.below(random.chance(0.2) ? 1_800_000 : 30_000),
    act: (random) => reads[random.weighted<keyof typeof weights>(weights)](random),
  });
};

const lastEvents = 12;

/** Reads everything once more, when nothing is in work. */
export const auditAtLast = async (stage: Stage): Promise<void> => {
  const name = `last-auditor-${stage.number}`;
  const random = stage.region.world.scheduler.stream(name);
  const reads = reader(stage, name);
  await reads.use(random);
  for (let i = 0; i < lastEvents; i++) await reads.event(random);
  await reads.notices(random);
  await reads.export(random);
};
