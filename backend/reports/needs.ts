// What the rules of reports are handed: those of comments and posts, which hide what is reported.
import type { CommentNeeds } from '../comments/needs.ts'
import type { PostNeeds } from '../posts/needs.ts'

export type ReportNeeds = PostNeeds & CommentNeeds
