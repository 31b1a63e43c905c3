import type { Mailer } from '../mail/mailer.ts'
import type { PostsContext } from '../post-texts/context.ts'

export type NotificationsContext = PostsContext & { mailer: Mailer }
