import type { PostsContext } from '../posts/context.ts'
import type { Reads } from './reads.ts'

export type ReadsContext = PostsContext & { reads: Reads }
