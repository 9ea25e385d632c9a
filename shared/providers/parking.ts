/** Where fan-out parks a stream record that no retry can make readable: kept whole, replayable, alarmed. */
export interface ParkingLot {
  /** Stores the JSON under the key, again or anew. */
  park(key: string, json: string): Promise<void>;
  /** Undefined where no such key is parked. */
  fetch(key: string): Promise<string | undefined>;
}
