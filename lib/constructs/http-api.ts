import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  ApiMapping,
  DomainName,
  HttpApi,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  type IHttpRouteAuthorizer,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, LogGroupClass, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { ARecord, HostedZone, type IAliasRecordTarget, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayv2DomainProperties, CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { apiPrefix, type PageRoute, type Route } from '../../shared/core/routes.ts';
import { type EdgeOutputs, originNameOf } from '../edge/stack.ts';
import { acknowledge } from '../permissions.ts';
import type { CustomDomain, RegionSettings } from '../regions.ts';
import type { LiveAliases, LiveName } from './live-aliases.ts';

interface Routed<Row> {
  readonly name: LiveName;
  readonly routes: readonly Row[];
}

export interface ServiceApi {
  readonly api: HttpApi;
  readonly stage: HttpStage;
}

/**
 * Fields of the access log. Path, query, headers and address are left out, because they may contain
 * identifiers and credentials. AWS bills a line by its bytes.
 */
const accessLogFields = {
  rid: '$context.requestId',
  route: '$context.routeKey',
  status: '$context.status',
  ms: '$context.responseLatency',
  error: '$context.integrationErrorMessage',
};

/**
 * Fields while `logAddresses` is on. Lines with addresses have a separate log group, which keeps
 * them for the shortest time that CloudWatch Logs allows and is deleted when the key is off.
 */
const accessLogFieldsWithAddress = { ...accessLogFields, ip: '$context.identity.sourceIp' };

/**
 * Paths with an `OPTIONS` route. The group's function handles preflights, because the gateway's own
 * CORS would apply to every route (§ Authentication 10).
 */
const preflightPaths = (routes: readonly Route[]): string[] => [
  ...new Set(routes.filter(({ keys }) => keys === 'any').map(({ path }) => path)),
];

type StageSettings = Pick<
  RegionSettings,
  'logRetentionDays' | 'routeThrottle' | 'routeMetrics' | 'logAddresses' | 'closeDefaultEndpoint' | 'edge'
>;

const createAccessLog = (here: Construct, id: string, name: string, retention: number): LogGroup =>
  new LogGroup(here, id, {
    // With the prefix `vendedlogs`, the resource policy of log delivery does not grow with each
    // group.
    logGroupName: `/aws/vendedlogs/${Stack.of(here).stackName}-${name}`,
    // Costs half. This class allows no metric filters, but only queries read these lines.
    logGroupClass: LogGroupClass.INFREQUENT_ACCESS,
    retention,
    removalPolicy: RemovalPolicy.DESTROY,
  });

const createStage = (here: Construct, api: HttpApi, settings: StageSettings): HttpStage => {
  const { logRetentionDays, routeThrottle, routeMetrics, logAddresses } = settings;
  // This group always exists, so that its lines stay while the other group is in use.
  const accessLog = createAccessLog(here, 'AccessLogs', 'api', logRetentionDays);
  const destination = logAddresses ? createAccessLog(here, 'AddressLogs', 'api-addresses', RetentionDays.ONE_DAY) : accessLog;
  return new HttpStage(here, 'Stage', {
    httpApi: api,
    stageName: '$default',
    autoDeploy: true,
    throttle: { rateLimit: routeThrottle, burstLimit: routeThrottle / 2 },
    detailedMetricsEnabled: routeMetrics,
    accessLogSettings: {
      destination: new LogGroupLogDestination(destination),
      format: AccessLogFormat.custom(JSON.stringify(logAddresses ? accessLogFieldsWithAddress : accessLogFields)),
    },
  });
};

/**
 * Creates the HTTP API of a region, with a route per row of the route tables. All other requests go
 * to `fallback`. The authorizer is the edge's, if the region has one.
 */
export const createHttpApi = (
  scope: Construct,
  groups: readonly Routed<Route>[],
  pages: readonly Routed<PageRoute>[],
  aliases: LiveAliases,
  settings: StageSettings,
  authorizer: IHttpRouteAuthorizer = new HttpNoneAuthorizer(),
): ServiceApi => {
  const here = new Construct(scope, 'Api');
  const api = new HttpApi(here, 'HttpApi', {
    apiName: Stack.of(scope).stackName,
    createDefaultStage: false,
    ...((settings.closeDefaultEndpoint || settings.edge) && { disableExecuteApiEndpoint: true }),
  });
  const stage = createStage(here, api, settings);

  const connect = (name: LiveName, scopePermissionToRoute: boolean) => {
    // The library's types of an alias and of a function differ in an optional property.
    const integration = new HttpLambdaIntegration(`${name}Integration`, aliases[name] as IFunction, {
      // The gateway's default limit of 30 s applies; the function's is shorter.
      scopePermissionToRoute,
    });
    return (routeKey: HttpRouteKey, id: string) => {
      const route = new HttpRoute(here, id, { httpApi: api, routeKey, integration, authorizer });
      acknowledge(route, {
        'AwsSolutions-APIG4':
          'Keys are checked by the functions: formats, regions, plans and error bodies are the specification’s, which an authorizer cannot answer with.',
      });
    };
  };

  for (const { name, routes } of groups) {
    // One permission covers all routes. With one per route, the function's policy would exceed 20
    // KB.
    const add = connect(name, false);
    for (const { method, path } of routes) add(HttpRouteKey.with(`${apiPrefix}${path}`, HttpMethod[method]), `${method} ${path}`);
    for (const path of preflightPaths(routes)) add(HttpRouteKey.with(`${apiPrefix}${path}`, HttpMethod.OPTIONS), `OPTIONS ${path}`);
  }
  for (const { name, routes } of pages) {
    const add = connect(name, false);
    for (const { method, path } of routes) add(HttpRouteKey.with(path, HttpMethod[method]), `${method} ${path}`);
  }
  // The common permission does not match the default route, because its ARN is shorter.
  connect('fallback', true)(HttpRouteKey.DEFAULT, 'Default');
  return { api, stage };
};

/**
 * Creates the domain `{region}.<api-domain>`: certificate, domain name, mapping, and an alias
 * record in an existing hosted zone. Returns the record. With an edge it leads to the edge, and a
 * second record leads the edge to the API.
 */
export const createCustomDomain = (scope: Construct, domain: CustomDomain, { api, stage }: ServiceApi, edge?: EdgeOutputs): ARecord => {
  const here = new Construct(scope, 'CustomDomain');
  const { hostname, hostedZoneId, hostedZoneName } = domain;
  const zone = HostedZone.fromHostedZoneAttributes(here, 'Zone', { hostedZoneId, zoneName: hostedZoneName });
  const certificate = new Certificate(here, 'Certificate', { domainName: hostname, validation: CertificateValidation.fromDns(zone) });
  const domainName = new DomainName(here, 'DomainName', { domainName: hostname, certificate });
  new ApiMapping(here, 'Mapping', { api, domainName, stage });
  const toApi = new ApiGatewayv2DomainProperties(domainName.regionalDomainName, domainName.regionalHostedZoneId);
  const recordOf = (id: string, name: string, target: IAliasRecordTarget) =>
    // The trailing dot keeps the name absolute if the zone is a parent domain.
    new ARecord(here, id, { zone, recordName: `${name}.`, target: RecordTarget.fromAlias(target) });
  if (!edge) return recordOf('Alias', hostname, toApi);
  const origin = recordOf('Origin', originNameOf(domain), toApi);
  const toEdge = { bind: () => ({ dnsName: edge.distributionDomain, hostedZoneId: CloudFrontTarget.CLOUDFRONT_ZONE_ID }) };
  const alias = recordOf('Alias', hostname, toEdge);
  alias.node.addDependency(origin);
  return alias;
};
