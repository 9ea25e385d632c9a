// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source, in which templates are no mistakes.

/** A deliberate fault of the product, and the scenario that finds it. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** What stands there, exactly once, and what stands there instead. */
  readonly find: string;
  readonly replace: string;
  /** The seed that kills it among many accidents, and the number of the law that it breaks there. */
  readonly seed: number;
  readonly law: number;
}

/** A law that none of them breaks proves nothing: see laws/. */
export const mutants: readonly Mutant[] = [
  {
    name: 'delivery-made-again',
    file: 'shared/table/deliveries.ts',
    find: "            ConditionExpression: 'attribute_not_exists(pk)',\n",
    replace: '',
    seed: 0,
    law: 3,
  },
  {
    name: 'response-not-stored',
    file: 'shared/http/perform.ts',
    find: 'lock ? [store.idempotency.finishWrite(call.account, lock, { status, body }), ...writes] : writes',
    replace: 'writes',
    seed: 0,
    law: 2,
  },
  {
    name: 'lock-lapses-at-once',
    file: 'shared/table/idempotency.ts',
    find: 'export const lockMs = 35_000',
    replace: 'export const lockMs = 20',
    seed: 0,
    law: 2,
  },
  {
    name: 'other-body-replayed',
    file: 'shared/table/idempotency.ts',
    find: " || old['body_hash'] !== lock.bodyHash",
    replace: '',
    seed: 0,
    law: 2,
  },
  {
    name: 'busy-slots-forgotten',
    file: 'shared/domain/webhook.ts',
    find: '  const busy = endpoint.slots.filter(isBusy).length;',
    replace: '  const busy = 0;',
    seed: 0,
    law: 6,
  },
  {
    name: 'six-slots',
    file: 'shared/domain/webhook.ts',
    find: 'export const slotsPerEndpoint = 5;',
    replace: 'export const slotsPerEndpoint = 6;',
    seed: 0,
    law: 6,
  },
  {
    name: 'counted-without-slots',
    file: 'shared/table/endpoint-stats.ts',
    find: '          ...slots.map((slot) => `${slotAttribute(slot)} = :lease`),\n',
    replace: '          "#enabled <> :lease",\n',
    seed: 0,
    law: 5,
  },
  {
    name: 'disabled-at-nine',
    file: 'shared/domain/webhook.ts',
    find: 'export const autoDisableAfter = 10;',
    replace: 'export const autoDisableAfter = 9;',
    seed: 0,
    law: 5,
  },
  {
    name: 'disabled-at-eleven',
    file: 'shared/domain/webhook.ts',
    find: 'export const autoDisableAfter = 10;',
    replace: 'export const autoDisableAfter = 11;',
    seed: 0,
    law: 5,
  },
  {
    name: 'four-attempts',
    file: 'shared/webhooks/ladder.ts',
    find: "  { delayMs: 1440 * minuteMs, channel: 'schedule' },\n",
    replace: '',
    seed: 0,
    law: 3,
  },
  {
    name: 'event-id-by-chance',
    file: 'shared/events/event-id.ts',
    find: '[eventId, partition, sort, type, changedMs]',
    replace: '[eventId, partition, sort, type, changedMs, Math.random()]',
    seed: 0,
    law: 3,
  },
  {
    name: 'failed-batch-taken-for-done',
    file: 'functions/fan-out/app.ts',
    find: 'record ? [{ itemIdentifier: sequenceOf(record) }] : []',
    replace: 'record ? [] : []',
    seed: 0,
    law: 3,
  },
  {
    name: 'disabled-endpoint-hears',
    file: 'shared/domain/webhook.ts',
    find: '  (endpoint.enabled || (endpoint.disabled_ms !== null && changedMs < endpoint.disabled_ms));',
    replace: '  true;',
    seed: 0,
    law: 3,
  },
  {
    name: 'nothing-is-overdue',
    file: 'shared/webhooks/overdue.ts',
    find: 'const found = account === undefined ? refs : refs.filter((ref) => ref.account === account);',
    replace: 'const found = refs.filter((ref) => ref.account === account);',
    seed: 0,
    law: 3,
  },
  {
    name: 'attempt-leased-twice',
    file: 'shared/table/deliveries.ts',
    find: "        `${isCurrent} AND ${isFree}`,\n        {},\n        { ':until': untilMs, ':token': token, ':now': db.clock.now() },",
    replace: "        isCurrent,\n        {},\n        { ':until': untilMs, ':token': token },",
    seed: 0,
    law: 5,
  },
  {
    name: 'short-lease',
    file: 'functions/deliver/services.ts',
    find: 'export const leaseMs = 90_000;',
    replace: 'export const leaseMs = 5_000;',
    seed: 0,
    law: 5,
  },
];
