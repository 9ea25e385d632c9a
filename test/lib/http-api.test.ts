import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { groupNames, groups, pageNames, pages } from '../../lib/groups.ts';
import { apiPrefix, pageRouteKey, type Route, routeKey } from '../../shared/core/routes.ts';
import { fullContext, someContext } from './contexts.ts';
import { flatten } from './iam.ts';
import { propertiesOf, resourcesOf, synthesize, theOnly } from './synthesize.ts';

let template: Template;
beforeAll(() => {
  template = synthesize().templates.us;
});

const tables: [string, readonly Route[]][] = groupNames.map((name) => [name, groups[name]]);
const allRoutes = tables.flatMap(([, routes]) => routes);

/** Name of the function that a route's integration calls. */
const functionBehind = (route: Record<string, unknown>): string => {
  const integrationId = /<(\w+)>/.exec(flatten(route['Target']))?.[1] ?? '';
  const uri = flatten(resourcesOf(template, 'AWS::ApiGatewayV2::Integration')[integrationId]?.Properties['IntegrationUri']);
  const functionId = /<(\w+)\.Arn>/.exec(uri)?.[1] ?? '';
  return String(resourcesOf(template, 'AWS::Lambda::Function')[functionId]?.Properties['FunctionName']).replace('BakeryCommerce-us-', '');
};

describe('routes', () => {
  test('every row of every route table is a route exactly once, and nothing else is but preflights and the default', () => {
    const expected = [
      ...allRoutes.map(routeKey),
      ...new Set(allRoutes.filter(({ keys }) => keys === 'any').map(({ path }) => `OPTIONS ${apiPrefix}${path}`)),
      ...pageNames.flatMap((name) => pages[name].map(pageRouteKey)),
      '$default',
    ];
    const actual = propertiesOf(template, 'AWS::ApiGatewayV2::Route').map(({ RouteKey }) => String(RouteKey));
    expect(actual.sort()).toEqual(expected.sort());
  });

  test('each reaches the function of its group, the default one the fallback', () => {
    const actual = Object.fromEntries(
      propertiesOf(template, 'AWS::ApiGatewayV2::Route').map((route) => [String(route['RouteKey']), functionBehind(route)]),
    );
    for (const [name, routes] of tables) {
      for (const route of routes) {
        expect([routeKey(route), actual[routeKey(route)]]).toEqual([routeKey(route), name]);
        if (route.keys === 'any') expect(actual[`OPTIONS ${apiPrefix}${route.path}`]).toBe(name);
      }
    }
    for (const name of pageNames) for (const route of pages[name]) expect(actual[pageRouteKey(route)]).toBe(name);
    expect(actual['$default']).toBe('fallback');
  });

  test('the gateway may invoke each function behind a route: groups for any path of theirs, the fallback for the default route', () => {
    const sources = Object.fromEntries(
      propertiesOf(template, 'AWS::Lambda::Permission').map(({ FunctionName, SourceArn, Principal, Action }) => {
        expect({ Principal, Action }).toEqual({ Principal: 'apigateway.amazonaws.com', Action: 'lambda:InvokeFunction' });
        const id = /<(\w+)\.Arn>/.exec(flatten(FunctionName))?.[1] ?? '';
        const name = String(resourcesOf(template, 'AWS::Lambda::Function')[id]?.Properties['FunctionName']);
        return [name.replace('BakeryCommerce-us-', ''), flatten(SourceArn).replace(/^.*?<ApiHttpApi\w+>/, '')];
      }),
    );
    expect(sources).toEqual({ ...Object.fromEntries([...groupNames, ...pageNames].map((name) => [name, '/*/*/*'])), fallback: '/*/*' });
  });

  test('every integration passes payload format 2.0', () => {
    for (const integration of propertiesOf(template, 'AWS::ApiGatewayV2::Integration'))
      expect(integration).toMatchObject({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' });
  });
});

test("API Gateway's own address is closed if that is configured, and open otherwise", () => {
  const closed = (context: Record<string, unknown>) =>
    theOnly(synthesize(context).templates.eu, 'AWS::ApiGatewayV2::Api')['DisableExecuteApiEndpoint'] ?? false;
  expect([closed({}), closed(someContext), closed(fullContext)]).toEqual([false, false, true]);
});

test('the gateway itself answers no preflight', () => {
  for (const api of propertiesOf(template, 'AWS::ApiGatewayV2::Api')) expect(api).not.toHaveProperty('CorsConfiguration');
});

describe('the stage', () => {
  test('throttles', () => {
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 500 },
    });
  });

  test('counts by route if that is switched on, and only then', () => {
    const detailed = (of: Template) =>
      (theOnly(of, 'AWS::ApiGatewayV2::Stage')['DefaultRouteSettings'] as { DetailedMetricsEnabled?: boolean }).DetailedMetricsEnabled;
    expect([detailed(synthesize(fullContext).templates.us), detailed(template)]).toEqual([true, false]);
  });

  test('logs route, status and times, and nothing that could hold a path, a credential or an address', () => {
    const { Format } = theOnly(template, 'AWS::ApiGatewayV2::Stage')['AccessLogSettings'] as { Format: string };
    expect(Object.values(JSON.parse(Format) as Record<string, string>).sort()).toEqual([
      '$context.integrationErrorMessage',
      '$context.requestId',
      '$context.responseLatency',
      '$context.routeKey',
      '$context.status',
    ]);
  });

  test('logs addresses only while logAddresses is on, for a day, in a group that goes when it is off', () => {
    const traced = synthesize(fullContext).templates.us;
    const groups = (of: Template) =>
      Object.entries(of.findResources('AWS::Logs::LogGroup')).flatMap(([id, { Properties, DeletionPolicy }]) =>
        String(Properties.LogGroupName).startsWith('/aws/vendedlogs/')
          ? [{ id, name: Properties.LogGroupName, days: Properties.RetentionInDays, DeletionPolicy }]
          : [],
      );
    const [usual] = groups(template);
    const addresses = groups(traced).find(({ name }) => name === '/aws/vendedlogs/BakeryCommerce-us-api-addresses');
    // The lines from before stay in their group.
    expect(groups(traced).map(({ id }) => id)).toEqual([usual?.id, addresses?.id]);
    expect([groups(template).length, addresses]).toMatchObject([1, { days: 1, DeletionPolicy: 'Delete' }]);
    const { Format, DestinationArn } = theOnly(traced, 'AWS::ApiGatewayV2::Stage')['AccessLogSettings'] as Record<string, any>;
    expect(JSON.parse(Format)).toMatchObject({ ip: '$context.identity.sourceIp', status: '$context.status' });
    expect(JSON.stringify(DestinationArn)).toContain(addresses?.id);
  });

  test('logs to a group of the cheaper class, which no metric filter reads', () => {
    const isAccessLog = ({ LogGroupName }: Record<string, unknown>) => String(LogGroupName).startsWith('/aws/vendedlogs/');
    expect(theOnly(template, 'AWS::Logs::LogGroup', isAccessLog)).toMatchObject({ LogGroupClass: 'INFREQUENT_ACCESS' });
    const [id = ''] = Object.entries(resourcesOf(template, 'AWS::Logs::LogGroup')).find(([, one]) => isAccessLog(one.Properties)) ?? [];
    for (const { LogGroupName } of propertiesOf(template, 'AWS::Logs::MetricFilter')) expect(flatten(LogGroupName)).not.toContain(id);
  });
});
