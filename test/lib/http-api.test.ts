import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { groupNames, groups, pageNames, pages } from '../../functions/groups.ts';
import { apiPrefix, pageRouteKey, type Route, routeKey } from '../../shared/core/routes.ts';
import { fullContext, someContext } from './contexts.ts';
import { flatten, functionNameOf } from './iam.ts';
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
  return functionNameOf(template, { Ref: /<(\w+?Aliaslive\w+)>/.exec(uri)?.[1] });
};

describe('routes', () => {
  test('the routes are exactly the rows of all route tables, preflights and the default route', () => {
    const expected = [
      ...allRoutes.map(routeKey),
      ...new Set(allRoutes.filter(({ keys }) => keys === 'any').map(({ path }) => `OPTIONS ${apiPrefix}${path}`)),
      ...pageNames.flatMap((name) => pages[name].map(pageRouteKey)),
      '$default',
    ];
    const actual = propertiesOf(template, 'AWS::ApiGatewayV2::Route').map(({ RouteKey }) => String(RouteKey));
    expect(actual.sort()).toEqual(expected.sort());
  });

  test('each calls the function of its group, and the default route the fallback', () => {
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

  test('the gateway may invoke each function behind a route', () => {
    const sources = Object.fromEntries(
      propertiesOf(template, 'AWS::Lambda::Permission').map(({ FunctionName, SourceArn, Principal, Action }) => {
        expect({ Principal, Action }).toEqual({ Principal: 'apigateway.amazonaws.com', Action: 'lambda:InvokeFunction' });
        return [functionNameOf(template, FunctionName), flatten(SourceArn).replace(/^.*?<ApiHttpApi\w+>/, '')];
      }),
    );
    expect(sources).toEqual({ ...Object.fromEntries([...groupNames, ...pageNames].map((name) => [name, '/*/*/*'])), fallback: '/*/*' });
  });

  test('every integration uses payload format 2.0', () => {
    for (const integration of propertiesOf(template, 'AWS::ApiGatewayV2::Integration'))
      expect(integration).toMatchObject({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' });
  });
});

test("API Gateway's default URL is disabled only if configured", () => {
  const closed = (context: Record<string, unknown>) =>
    theOnly(synthesize(context).templates.eu, 'AWS::ApiGatewayV2::Api')['DisableExecuteApiEndpoint'] ?? false;
  expect([closed({}), closed(someContext), closed(fullContext)]).toEqual([false, false, true]);
});

test('the gateway does not respond to preflights itself', () => {
  for (const api of propertiesOf(template, 'AWS::ApiGatewayV2::Api')) expect(api).not.toHaveProperty('CorsConfiguration');
});

describe('the stage', () => {
  test('the stage of the API throttles the requests of each route, at 1,000 a second or at routeThrottle', () => {
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 500 },
    });
    synthesize({ routeThrottle: 3_000 }).templates.us.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      DefaultRouteSettings: { ThrottlingRateLimit: 3000, ThrottlingBurstLimit: 1500 },
    });
  });

  test('the stage of the API has metrics by route only if they are switched on', () => {
    const detailed = (of: Template) =>
      (theOnly(of, 'AWS::ApiGatewayV2::Stage')['DefaultRouteSettings'] as { DetailedMetricsEnabled?: boolean }).DetailedMetricsEnabled;
    expect([detailed(synthesize(fullContext).templates.us), detailed(template)]).toEqual([true, false]);
  });

  test('the stage of the API logs route, status and durations, and no path, credential or address', () => {
    const { Format } = theOnly(template, 'AWS::ApiGatewayV2::Stage')['AccessLogSettings'] as { Format: string };
    expect(Object.values(JSON.parse(Format) as Record<string, string>).sort()).toEqual([
      '$context.integrationErrorMessage',
      '$context.requestId',
      '$context.responseLatency',
      '$context.routeKey',
      '$context.status',
    ]);
  });

  test('the stage of the API logs addresses only with logAddresses, in a separate group that keeps them for a day', () => {
    const traced = synthesize(fullContext).templates.us;
    const groups = (of: Template) =>
      Object.entries(of.findResources('AWS::Logs::LogGroup')).flatMap(([id, { Properties, DeletionPolicy }]) =>
        String(Properties.LogGroupName).startsWith('/aws/vendedlogs/')
          ? [{ id, name: Properties.LogGroupName, days: Properties.RetentionInDays, DeletionPolicy }]
          : [],
      );
    const [usual] = groups(template);
    const addresses = groups(traced).find(({ name }) => name === '/aws/vendedlogs/BakeryCommerce-us-api-addresses');
    // The usual log group stays.
    expect(groups(traced).map(({ id }) => id)).toEqual([usual?.id, addresses?.id]);
    expect([groups(template).length, addresses]).toMatchObject([1, { days: 1, DeletionPolicy: 'Delete' }]);
    const { Format, DestinationArn } = theOnly(traced, 'AWS::ApiGatewayV2::Stage')['AccessLogSettings'] as Record<string, any>;
    expect(JSON.parse(Format)).toMatchObject({ ip: '$context.identity.sourceIp', status: '$context.status' });
    expect(JSON.stringify(DestinationArn)).toContain(addresses?.id);
  });

  test('the stage of the API logs to a group of the Infrequent Access class, which has no metric filter', () => {
    const isAccessLog = ({ LogGroupName }: Record<string, unknown>) => String(LogGroupName).startsWith('/aws/vendedlogs/');
    expect(theOnly(template, 'AWS::Logs::LogGroup', isAccessLog)).toMatchObject({ LogGroupClass: 'INFREQUENT_ACCESS' });
    const [id = ''] = Object.entries(resourcesOf(template, 'AWS::Logs::LogGroup')).find(([, one]) => isAccessLog(one.Properties)) ?? [];
    for (const { LogGroupName } of propertiesOf(template, 'AWS::Logs::MetricFilter')) expect(flatten(LogGroupName)).not.toContain(id);
  });
});
