import type { Node } from 'constructs';
import type { Region } from '../../shared/core/config.ts';
import { type CdkContext, readKey } from '../configuration.ts';
import {
  assertAccounts,
  type CustomDomain,
  defaultLogRetentionDays,
  docsDomainOf,
  type RegionSettings,
  readRegionSettings,
} from '../regions.ts';

/** Settings of the docs of production, or of the stage. */
export interface DocsSettings {
  readonly stackName: string;
  /** Undefined for production. */
  readonly stage: string | undefined;
  /** AWS account that the stack is for; undefined for that of the credentials. */
  readonly awsAccount: string | undefined;
  readonly customDomain: CustomDomain | undefined;
  /** Host names of the regions that have a domain. */
  readonly hosts: Readonly<Partial<Record<Region, string>>>;
  readonly logRetentionDays: number;
}

/** CloudFront takes certificates of this AWS region only. */
export const docsAwsRegion = 'us-east-1';

/** Returns the settings of each docs site. Empty without the key `docs`. */
export const readDocsSettings = (node: Node, all: readonly RegionSettings[] = readRegionSettings(node)): readonly DocsSettings[] => {
  const context = node.getAllContext() as CdkContext;
  if (!readKey(context, 'docs')?.value) return [];
  const docs = [...new Set(all.map(({ stage }) => stage))].map((stage) => ({
    stackName: `BakeryCommerce-${stage ? `${stage}-` : ''}docs`,
    stage,
    awsAccount: readKey(context, 'awsAccount', { stage })?.value,
    customDomain: docsDomainOf(context, stage),
    hosts: Object.fromEntries(
      all.flatMap((one) => (one.stage === stage && one.customDomain ? [[one.region, one.customDomain.hostname]] : [])),
    ),
    logRetentionDays: readKey(context, 'logRetentionDays', { stage })?.value ?? defaultLogRetentionDays,
  }));
  assertAccounts([...all, ...docs]);
  return docs;
};
