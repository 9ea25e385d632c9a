import type { Node } from 'constructs';
import { awsRegions, type Region, regions } from '../shared/core/regions.ts';

export interface CustomDomain {
  /** `us.api.example.com` */
  readonly hostname: string;
  readonly hostedZoneId: string;
  readonly hostedZoneName: string;
}

/** What one regional stack may differ in; everything else is the same in every region. */
export interface RegionSettings {
  readonly region: Region;
  readonly awsRegion: string;
  readonly customDomain?: CustomDomain;
  /** Receives every alarm; without it alarms only change state. */
  readonly alarmEmail?: string;
  /** Reserved concurrent executions by function name; none are reserved by default. */
  readonly reservedConcurrency: Readonly<Record<string, number>>;
}

const contextText = (node: Node, key: string): string | undefined => {
  const value: unknown = node.tryGetContext(key);
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '') throw new Error(`Context "${key}" must be a non-empty string`);
  return value;
};

const contextReservations = (node: Node): Record<string, number> => {
  const value: unknown = node.tryGetContext('reservedConcurrency') ?? {};
  // On the command line context values are text: `-c reservedConcurrency='{"deliver":50}'`.
  const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  if (typeof parsed !== 'object' || parsed === null) throw new Error('Context "reservedConcurrency" must be an object');
  return Object.fromEntries(
    Object.entries(parsed).map(([name, count]) => {
      if (!Number.isInteger(count) || count < 1) throw new Error(`Context "reservedConcurrency.${name}" must be a positive integer`);
      return [name, count];
    }),
  );
};

const contextDomain = (node: Node, region: Region): CustomDomain | undefined => {
  const apiDomain = contextText(node, 'apiDomain');
  if (apiDomain === undefined) return undefined;
  const hostedZoneId = contextText(node, 'hostedZoneId');
  // Looking the zone up would need credentials at synthesis.
  if (hostedZoneId === undefined)
    throw new Error('Context "apiDomain" needs "hostedZoneId" (and "hostedZoneName" where the zone is a parent)');
  return { hostname: `${region}.${apiDomain}`, hostedZoneId, hostedZoneName: contextText(node, 'hostedZoneName') ?? apiDomain };
};

/** Reads the context keys `awsRegion.<region>`, `apiDomain`, `hostedZoneId`, `hostedZoneName`, `alarmEmail`, `reservedConcurrency`. */
export const readRegionSettings = (node: Node): readonly RegionSettings[] =>
  regions.map((region) => {
    const customDomain = contextDomain(node, region);
    const alarmEmail = contextText(node, 'alarmEmail');
    return {
      region,
      awsRegion: contextText(node, `awsRegion.${region}`) ?? awsRegions[region],
      reservedConcurrency: contextReservations(node),
      ...(customDomain && { customDomain }),
      ...(alarmEmail && { alarmEmail }),
    };
  });
