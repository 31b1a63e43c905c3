// What the rules of notifications are handed.
import type { Live } from '../database/transaction.ts'

export type NotificationNeeds = Omit<Live, 'log'> & { avatarBucketId: string }
