import type { Mailer } from '../mail/mailer.ts'
import type { PostsContext } from '../posts/context.ts'

export type NotificationsContext = PostsContext & { mailer: Mailer }
