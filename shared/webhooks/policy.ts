/**
 * The differences between deliveries of a deployed stack and of the local service. Only the local
 * service uses another policy than `productionPolicy`.
 */
export interface DeliveryPolicy {
  /**
   * Whether receivers may have loopback addresses and `localhost` names, and use `http:` there. All
   * other forbidden ranges stay forbidden.
   */
  readonly allowLoopback: boolean;
  /** Number above 0 that divides every wait of the retry schedule. */
  readonly timeScale: number;
}

export const productionPolicy: DeliveryPolicy = { allowLoopback: false, timeScale: 1 };
