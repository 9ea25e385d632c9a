import { inventoryItem } from '../../shared/domain/inventory/wire.ts';
import type { ResourceWords } from './common.ts';

export const inventory = {
  events: {
    'inventory.low': {
      summary: 'Stock is running low',
      description: 'Once, as stock comes to its reorder point or below; again after it has risen above.',
      object: inventoryItem,
    },
  },
} as const satisfies ResourceWords;
