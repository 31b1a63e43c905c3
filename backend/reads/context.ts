import type { PostsContext } from '../post-texts/context.ts'
import type { Reads } from './reads.ts'

export type ReadsContext = PostsContext & { reads: Reads }
