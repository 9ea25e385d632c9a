import { flatten } from '../lib/iam.ts';
import { propertiesOf, synthesize } from '../lib/synthesize.ts';

/** Sums of five-minute periods by metric, `<namespace>/<name>`. Without an entry, a metric has no data. */
export type Sums = Readonly<Record<string, readonly number[]>>;

interface MetricQuery {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: { readonly Metric: { readonly Namespace: string; readonly MetricName: string } };
}

/** Returns the values that an alarm compares, by period; undefined for a period without data. */
const valuesOf = (alarm: Record<string, unknown>, sums: Sums, periods: number): readonly (number | undefined)[] => {
  const valuesIn = (namespace: unknown, name: unknown) => Array.from({ length: periods }, (_, i) => sums[`${namespace}/${name}`]?.[i]);
  if (alarm['Metrics'] === undefined) return valuesIn(alarm['Namespace'], alarm['MetricName']);
  const queries = alarm['Metrics'] as readonly MetricQuery[];
  const [, minuend, subtrahend] = /^(\w+) - FILL\((\w+), 0\)$/.exec(String(queries.find(({ Expression }) => Expression)?.Expression)) ?? [];
  const [from, taken] = [minuend, subtrahend].map((id) => {
    const metric = queries.find(({ Id }) => Id === id)?.MetricStat?.Metric;
    return valuesIn(metric?.Namespace, metric?.MetricName);
  });
  if (!from || !taken) throw new Error(`Not understood: ${JSON.stringify(queries)}`);
  return from.map((value, i) => (value === undefined ? undefined : value - (taken[i] ?? 0)));
};

const alarmsOf = () => propertiesOf(synthesize().templates.us, 'AWS::CloudWatch::Alarm');
const idOf = ({ AlarmName }: Record<string, unknown>): string => flatten(AlarmName).replace('BakeryCommerce-us-', '');

/** Whether an alarm of the template of us that treats missing data as healthy fires at one of the periods. */
const fires = (alarm: Record<string, unknown>, sums: Sums): boolean => {
  const periods = Math.max(0, ...Object.values(sums).map((values) => values.length));
  const evaluated = Number(alarm['EvaluationPeriods']);
  const needed = Number(alarm['DatapointsToAlarm'] ?? evaluated);
  const met = valuesOf(alarm, sums, periods).map((value) => value !== undefined && value >= Number(alarm['Threshold']));
  return met.some((_, i) => met.slice(Math.max(0, i + 1 - evaluated), i + 1).filter(Boolean).length >= needed);
};

/** Returns the ids of the alarms that fire. Leaves out alarms that fire if nothing happens. */
export const firedAlarms = (sums: Sums): readonly string[] =>
  alarmsOf()
    .filter((alarm) => alarm['TreatMissingData'] === 'notBreaching' && fires(alarm, sums))
    .map(idOf);

/** Whether the alarm fires for these sums of its metric. */
export const isFired = (id: string, metric: string, sums: readonly number[]): boolean => firedAlarms({ [metric]: sums }).includes(id);
