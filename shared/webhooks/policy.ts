/**
 * How deliveries differ between a deployed stack and the local service. Only the local service
 * passes anything but `productionPolicy`.
 */
export interface DeliveryPolicy {
  /**
   * Admits loopback addresses, `localhost` names and, for these alone, `http:`; every other
   * forbidden range stays forbidden.
   */
  readonly allowLoopback: boolean;
  /** Every wait of the retry schedule is this many times shorter; above 0. */
  readonly timeScale: number;
}

export const productionPolicy: DeliveryPolicy = { allowLoopback: false, timeScale: 1 };
