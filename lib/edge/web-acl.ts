import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

/**
 * Rules of AWS's managed groups. A rule that blocks answers in the form of the API. All other rules
 * only count: those on bodies and on query strings, because the API takes texts of any kind there,
 * and those on sizes and on `User-Agent`, because the specification has no such limits.
 * https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-list.html
 */
export const managedGroups = {
  AWSManagedRulesAmazonIpReputationList: {
    blocks: ['AWSManagedIPReputationList', 'AWSManagedReconnaissanceList'],
    counts: ['AWSManagedIPDDoSList'],
  },
  AWSManagedRulesKnownBadInputsRuleSet: {
    blocks: [
      'JavaDeserializationRCE_HEADER',
      'JavaDeserializationRCE_URIPATH',
      'Host_localhost_HEADER',
      'PROPFIND_METHOD',
      'ExploitablePaths_URIPATH',
      'Log4JRCE_HEADER',
      'Log4JRCE_URIPATH',
    ],
    counts: [
      'JavaDeserializationRCE_BODY',
      'JavaDeserializationRCE_QUERYSTRING',
      'Log4JRCE_BODY',
      'Log4JRCE_QUERYSTRING',
      'ReactJSRCE_BODY',
    ],
  },
  AWSManagedRulesCommonRuleSet: {
    blocks: [
      'UserAgent_BadBots_HEADER',
      'EC2MetaDataSSRF_COOKIE',
      'EC2MetaDataSSRF_URIPATH',
      'GenericLFI_URIPATH',
      'RestrictedExtensions_URIPATH',
      'GenericRFI_URIPATH',
      'CrossSiteScripting_COOKIE',
      'CrossSiteScripting_URIPATH',
    ],
    counts: [
      'NoUserAgent_HEADER',
      'SizeRestrictions_QUERYSTRING',
      'SizeRestrictions_Cookie_HEADER',
      'SizeRestrictions_BODY',
      'SizeRestrictions_URIPATH',
      'EC2MetaDataSSRF_BODY',
      'EC2MetaDataSSRF_QUERYARGUMENTS',
      'GenericLFI_QUERYARGUMENTS',
      'GenericLFI_BODY',
      'RestrictedExtensions_QUERYARGUMENTS',
      'GenericRFI_QUERYARGUMENTS',
      'GenericRFI_BODY',
      'CrossSiteScripting_QUERYARGUMENTS',
      'CrossSiteScripting_BODY',
    ],
  },
} as const;

/** Requests of an address in a minute: 15 keys at their limit of 400. */
export const requestsAMinute = 6_000;

const bodies = {
  blocked: { error: { type: 'permission_error', code: 'request_blocked', message: 'This request looks like an attack.' } },
  limited: { error: 'rate_limit_exceeded', message: 'Too many requests. Retry in 60 seconds.', retryAfter: 60 },
};

const blockWith = (responseCode: number, customResponseBodyKey: keyof typeof bodies, headers: Readonly<Record<string, string>> = {}) => ({
  block: {
    customResponse: {
      responseCode,
      customResponseBodyKey,
      // Pages in browsers read the answer too.
      responseHeaders: Object.entries({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-store', ...headers }).map(
        ([name, value]) => ({ name, value }),
      ),
    },
  },
});

/**
 * Samples would hold headers with live API keys, paths and addresses for three hours in the AWS region of
 * the edge, and cannot be redacted.
 * https://docs.aws.amazon.com/waf/latest/APIReference/API_VisibilityConfig.html
 */
const visibility = (metricName: string) => ({ cloudWatchMetricsEnabled: true, metricName, sampledRequestsEnabled: false });

/** Creates the web ACL of a distribution. Returns its ARN. */
export const createWebAcl = (scope: Construct): string => {
  const name = Stack.of(scope).stackName;
  const managed = Object.entries(managedGroups).map(([group, { blocks, counts }], index) => ({
    name: group,
    priority: index + 1,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name: group,
        ruleActionOverrides: [
          ...blocks.map((rule) => ({ name: rule, actionToUse: blockWith(403, 'blocked') })),
          ...counts.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
        ],
      },
    },
    visibilityConfig: visibility(group),
  }));
  const rate = {
    name: 'Rate',
    priority: 0,
    action: blockWith(429, 'limited', { 'Retry-After': '60' }),
    statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit: requestsAMinute, evaluationWindowSec: 60 } },
    visibilityConfig: visibility('Rate'),
  };
  return new CfnWebACL(scope, 'WebAcl', {
    name,
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    customResponseBodies: Object.fromEntries(
      Object.entries(bodies).map(([key, body]) => [key, { contentType: 'APPLICATION_JSON', content: JSON.stringify(body) }]),
    ),
    rules: [rate, ...managed],
    visibilityConfig: visibility(name),
  }).attrArn;
};
