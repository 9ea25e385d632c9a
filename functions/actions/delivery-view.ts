import type { DeliveryRecord, Endpoint } from '../../shared/domain/webhook/record.ts';
import { deliveryView } from '../../shared/domain/webhook/view.ts';
import type { InspectedDelivery } from '../../shared/table/deliveries.ts';

/** What the log of the REST API shows, and the run of the ladder. */
export const deliveryRunView = (record: DeliveryRecord) => ({ endpoint_id: record.endpoint, ...deliveryView(record), run: record.run });

/** The same with every attempt of the last five runs. */
export const inspectedView = ({ record, attempts }: InspectedDelivery) => ({ ...deliveryRunView(record), attempt_log: attempts });

/** And where it goes. */
export const foundView = (endpoint: Endpoint, inspected: InspectedDelivery) => ({
  ...inspectedView(inspected),
  url: endpoint.url,
  endpoint_enabled: endpoint.enabled,
});
