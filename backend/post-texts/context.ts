import type { FilesContext } from '../files/context.ts'
import type { PostTexts } from './post-texts.ts'

export type PostsContext = FilesContext & { postTexts: PostTexts }
