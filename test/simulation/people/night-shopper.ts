import type { CheckoutSession } from '../../../shared/domain/checkout/record.ts';
import { decodeRecord } from '../../../shared/table/records.ts';
import type { Random } from '../scheduler/random.ts';
import { pageOrigin, type Shown } from '../world/shop-page.ts';
import type { Stage } from './person.ts';
import { formValues, hiddenField, thanks } from './shopper.ts';

const goodCard = '4242 4242 4242 4242';
const badCard = '4000 0000 0000 0002';
const mostSteps = 12;
const mostSessions = 3;
/**
 * First longer than a dead payment can block its session, then longer than the model's banks take
 * to decide.
 */
const shortWaitMs = 90_000;
const longWaitMs = 40 * 60_000;
/** No session may expire during a payment. */
const longestVisitMs = 8 * 3_600_000;
/**
 * A session allows a limited number of payments (`maxTries`). Night shoppers need a few of them.
 */
const mostTriesBefore = 15;

/**
 * Returns the account's unpaid sessions that expire late enough. An erasure ends those of its
 * person at once.
 */
const unpaid = ({ region, tenant, journal }: Stage): readonly CheckoutSession[] =>
  [...region.engine.table('simulated').items()].flatMap((item) => {
    if (item['pk'] !== `chk#${tenant.account}`) return [];
    const { record } = decodeRecord<CheckoutSession>({ ...item });
    const now = region.world.scheduler.now();
    const lives = Date.parse(record.created_at) + 24 * 3_600_000 > now + longestVisitMs;
    const own = journal.erasures.filter(({ account }) => account === tenant.account);
    // An erasure that is under way may end any session of its person.
    const isErased = own.some(({ doneMs }) => doneMs === undefined) || (record.expires_ms <= now && own.length > 0);
    return record.status === 'paid' || !lives || isErased || record.tries > mostTriesBefore ? [] : [record];
  });

/** A shopper who pays one session, after one declined card. */
export const payOpen = async ({ region, journal, tenant }: Stage, session: string, random: Random): Promise<void> => {
  const { scheduler } = region.world;
  const page = `/checkout/${tenant.account}/${session}`;
  const seen: string[] = [];
  let declines = random.chance(0.5) ? 1 : 0;
  const visit = async (path: string, form?: Readonly<Record<string, string>>): Promise<Shown | undefined> => {
    const request = form
      ? ({ method: 'POST', path, form, headers: { origin: pageOrigin, 'sec-fetch-site': 'same-origin' } } as const)
      : ({ method: 'GET', path } as const);
    const shown = await region.page.visit(request);
    seen.push(`${request.method} ${shown?.status} ${shown?.location ?? /<h1>([^<]*)/.exec(shown?.text ?? '')?.[1] ?? ''}`.trim());
    return shown;
  };
  const payAtStripe = async (url: string): Promise<Shown | undefined> => {
    region.page.stripe.pay(url, 'paid', random);
    return visit(`${page}/return`);
  };
  const step = async (text: string): Promise<Shown | undefined> => {
    const leadsOn = /href="(https:\/\/checkout\.stripe\.com[^"]*)"/.exec(text)?.[1];
    if (leadsOn !== undefined) return payAtStripe(leadsOn);
    if (text.includes('/notices/sandbox')) {
      const fields = ['session', 'token', 'transaction_id'].map((field) => [field, hiddenField(text, field)]);
      return visit(`/checkout/${tenant.account}/notices/sandbox`, { ...Object.fromEntries(fields), answer: 'approve' });
    }
    if (text.includes(`action="${page}/pay"`)) {
      const card = declines > 0 ? badCard : goodCard;
      declines -= 1;
      const shown = await visit(`${page}/pay`, { token: hiddenField(text, 'token'), ...formValues(text, random, { card }) });
      return shown?.location?.startsWith('https://checkout.stripe.com') ? payAtStripe(shown.location) : shown;
    }
    await scheduler.sleep(seen.length < 4 ? shortWaitMs : longWaitMs);
    return undefined;
  };
  for (let steps = 0; steps < mostSteps; steps++) {
    const shown = await visit(page);
    const next = shown && (shown.location === thanks ? shown : await step(shown.text));
    const isPaid = next?.location === thanks || shown?.text.includes('Thank you for your order') === true;
    if (isPaid) return void journal.purchases.push({ session, paid: true, seen });
  }
  scheduler.note('night shopper', `could not pay ${session}`);
  journal.purchases.push({ session, paid: false, seen });
};

/** Lets shoppers return to a few unpaid sessions of each shop, after the faults have ended. */
export const payWhatIsLeft = async (stage: Stage): Promise<void> => {
  // A closed account cannot sell (decisions §7).
  if ((await stage.region.store.accounts.get(stage.tenant.account))?.status === 'closed') return;
  const random = stage.region.world.scheduler.stream(`night shoppers of ${stage.number}`);
  const unpaidSessions = unpaid(stage).toSorted((a, b) => (a.status === 'open' ? 1 : 0) - (b.status === 'open' ? 1 : 0));
  await Promise.all(unpaidSessions.slice(0, mostSessions).map(({ id }) => payOpen(stage, id, random)));
};
