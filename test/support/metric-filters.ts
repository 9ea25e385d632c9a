import type { Template } from 'aws-cdk-lib/assertions';
import { flatten } from '../lib/iam.ts';
import { propertiesOf, resourcesOf } from '../lib/synthesize.ts';

/** A metric filter of the template. */
export interface DeployedFilter {
  /**
   * The log group it reads, `api` of `/aws/lambda/<stack>-api`, and the functions that log there.
   */
  readonly logGroup: string;
  readonly sources: readonly string[];
  readonly metric: string;
  readonly pattern: string;
  readonly value: string;
  readonly dimensions: readonly { readonly Key: string; readonly Value: string }[];
}

type Line = Readonly<Record<string, unknown>>;

/** Returns the functions that log to each log group, both by their names without the stack's. */
export const logGroupsOf = (template: Template): Readonly<Record<string, readonly string[]>> => {
  const groups = resourcesOf(template, 'AWS::Logs::LogGroup');
  const pairs = propertiesOf(template, 'AWS::Lambda::Function').map(({ FunctionName, LoggingConfig }) => {
    const group = groups[flatten((LoggingConfig as { LogGroup: unknown }).LogGroup).slice(1, -1)];
    return [String(group?.Properties['LogGroupName']), String(FunctionName)].map((name) => name.replace(/^.*BakeryCommerce-us-/, ''));
  });
  return Object.fromEntries(
    [...Map.groupBy(pairs, ([group = '']) => group)].map(([group, entries]) => [group, entries.map(([, name = '']) => name)]),
  );
};

export const deployedFilters = (template: Template): DeployedFilter[] => {
  const logGroups = logGroupsOf(template);
  return propertiesOf(template, 'AWS::Logs::MetricFilter').map(({ LogGroupName, FilterPattern, MetricTransformations }) => {
    const group = resourcesOf(template, 'AWS::Logs::LogGroup')[flatten(LogGroupName).slice(1, -1)];
    const logGroup = String(group?.Properties['LogGroupName']).replace('/aws/lambda/BakeryCommerce-us-', '');
    const [transformation] = MetricTransformations as [Record<string, any>];
    return {
      logGroup,
      sources: logGroups[logGroup] ?? [],
      metric: transformation['MetricName'],
      pattern: String(FilterPattern),
      value: transformation['MetricValue'],
      dimensions: transformation['Dimensions'] ?? [],
    };
  });
};

const fieldValue = (field: string, line: Line): unknown =>
  field
    .slice('$.'.length)
    .split('.')
    .reduce<unknown>((value, name) => (typeof value === 'object' && value !== null ? (value as Line)[name] : undefined), line);

/** Evaluates one comparison of a JSON pattern, in the forms that this service uses. */
const holds = (term: string, line: Line): boolean => {
  const text = /^(\$\.[\w.]+) = "(.*)"$/.exec(term);
  if (text?.[1]) {
    const found = fieldValue(text[1], line);
    return typeof found === 'string' && (text[2] === '*' || found === text[2]);
  }
  const number = /^(\$\.\w+) >= (\d+)$/.exec(term);
  if (number?.[1]) {
    const found = fieldValue(number[1], line);
    return typeof found === 'number' && found >= Number(number[2]);
  }
  const truth = /^(\$\.\w+) IS TRUE$/.exec(term);
  if (truth?.[1]) return fieldValue(truth[1], line) === true;
  throw new Error(`Not understood: ${term}`);
};

const matches = (pattern: string, line: Line): boolean =>
  pattern
    .replace(/^\{ (.*) \}$/, '$1')
    .split(' && ')
    .every((term) => holds(term.replace(/^\((.*)\)$/, '$1'), line));

/** CloudWatch's metrics of lines, with totals so far. */
export interface Meter {
  /** Counts lines of a function by metric, `Name/value of its dimension`. */
  observe(source: string, lines: readonly Line[]): Record<string, number[]>;
  /** Names of all counted metrics. */
  readonly observed: ReadonlySet<string>;
  /** Fields that lines of a function had, `error.name` for those of objects. */
  fieldsOf(source: string): readonly string[];
}

const namesIn = (line: Line): string[] =>
  Object.entries(line).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null ? [name, ...Object.keys(value).map((inner) => `${name}.${inner}`)] : [name],
  );

export const createMeter = (filters: readonly DeployedFilter[]): Meter => {
  const observed = new Set<string>();
  const fieldsBySource = new Map<string, string[]>();

  const read = (filter: DeployedFilter, line: Line): readonly [string, number] | undefined => {
    if (!matches(filter.pattern, line)) return undefined;
    const names = [filter.metric, ...filter.dimensions.map(({ Value }) => fieldValue(Value, line))];
    const value = filter.value.startsWith('$.') ? fieldValue(filter.value, line) : Number(filter.value);
    return typeof value === 'number' && names.every((name) => typeof name === 'string') ? [names.join('/'), value] : undefined;
  };

  return {
    observed,
    fieldsOf: (source) => fieldsBySource.get(source) ?? [],
    observe(source, lines) {
      const values: Record<string, number[]> = {};
      for (const written of lines) {
        const line = JSON.parse(JSON.stringify(written)) as Line;
        fieldsBySource.set(source, [...(fieldsBySource.get(source) ?? []), ...namesIn(line)]);
        for (const filter of filters.filter(({ sources }) => sources.includes(source))) {
          const [name, value] = read(filter, line) ?? [];
          if (name === undefined || value === undefined) continue;
          observed.add(name);
          values[name] = [...(values[name] ?? []), value];
        }
      }
      return values;
    },
  };
};
