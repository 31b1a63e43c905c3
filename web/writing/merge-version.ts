// Merges a version of the post that was saved elsewhere into the form: the text in the editor, the
// fields here. Loaded when there is such a version.
import { tagsOutsideText } from '#contract/plain-text.ts'
import type { PostDocument } from '#contract/posts.ts'
import { getVersion, listVersions } from '../posts/history-api.ts'
import { detailsOf, type PostDetails } from '../posts/posts-api.ts'
import { MergeNotice } from './merge-notice.tsx'
import { handleTyping, type OpenForm } from './open-form.ts'
import type { Fields, MergedField, MergedVersion, PostFormState } from './post-form-reducer.ts'

/** Of a version that is not the newest, the server stores only title and text. */
type CommonVersion = Pick<PostDocument, 'title' | 'content'> & Partial<PostDocument>

/** @returns false if merging is impossible: then the writer must choose one of the versions */
export async function mergeVersion(
  form: OpenForm,
  theirs: PostDocument,
  { isFromAutosave }: { isFromAutosave: boolean },
): Promise<boolean> {
  const { getState, dispatch } = form
  const base = await findCommonVersion(form)
  if (!base) return false
  const text = await form.editor.current?.merge({ base: base.content, theirs: theirs.content })
  if (!text || getState().isLeft) return false
  const before = getState().fields
  const { fields, taken, kept } = mergeFields(getState(), base, theirs)
  const merged = {
    Notice: MergeNotice,
    text,
    taken,
    kept,
    isFromAutosave,
    savedAt: theirs.$updatedAt,
  }
  dispatch({ type: 'merged', post: theirs, fields, merged })
  handleTyping(form)
  followUndo(form, merged, { before, after: fields })
  return true
}

/** The version on which the text of the form is based, if the form or the server still has it. */
async function findCommonVersion({ api, getState }: OpenForm): Promise<CommonVersion | undefined> {
  const { post, basedOn } = getState()
  if (!post || basedOn === undefined) return undefined
  if (post.$updatedAt === basedOn) return post
  const list = await listVersions(api, post.$id)
  if (!list.ok) return undefined
  const version = list.value.versions.find(({ $createdAt }) => $createdAt <= basedOn)
  // Later automatic saves have replaced its text.
  if (!version || version.$updatedAt > basedOn) return undefined
  const stored = await getVersion(api, post.$id, version.$id)
  return stored.ok ? { title: stored.value.title, content: stored.value.content } : undefined
}

type MergedFields = Pick<MergedVersion, 'taken' | 'kept'> & { fields: Fields }

/** A field that only the other side has changed is taken; one that both have changed stays. */
function mergeFields(
  { fields }: PostFormState,
  base: CommonVersion,
  theirs: PostDocument,
): MergedFields {
  const result: MergedFields = { fields: { ...fields }, taken: [], kept: [] }
  const tags = tagsOutsideText(theirs)
  const baseTags = 'userid' in base ? tagsOutsideText(base as PostDocument).join() : undefined
  const hasOwnImage = fields.image !== undefined || fields.isImageRemoved
  const baseImage = base.featuredImage ?? theirs.featuredImage
  const compared: [MergedField, mine: string, base: string | undefined, theirs: string][] = [
    ['title', fields.title, base.title, theirs.title],
    ['tags', [...fields.tags, fields.tagText].join(), `${baseTags},`, `${tags.join()},`],
    ['status', fields.status, base.status, theirs.status],
    ['image', hasOwnImage ? '' : baseImage, baseImage, theirs.featuredImage],
  ]
  for (const [name, mine, before, their] of compared) {
    if (their === mine || their === before) continue
    if (mine === before) result.taken.push(name)
    else result.kept.push(name)
  }
  mergeDetails(result, base, theirs)
  if (result.taken.includes('title')) result.fields.title = theirs.title
  if (result.taken.includes('tags')) result.fields.tags = tags
  if (result.taken.includes('status')) result.fields.status = theirs.status
  return result
}

/** Excerpt, texts for search engines and the like, each by itself. */
function mergeDetails(
  { fields, taken, kept }: MergedFields,
  base: CommonVersion,
  theirs: PostDocument,
): void {
  const before: Partial<PostDetails> = 'userid' in base ? detailsOf(base) : {}
  const their = detailsOf(theirs)
  const names = Object.keys(their) as (keyof PostDetails)[]
  const mine = fields.details
  const changed = names.filter((name) => their[name] !== mine[name] && their[name] !== before[name])
  const unchangedHere = changed.filter((name) => mine[name] === before[name])
  if (unchangedHere.length > 0) taken.push('details')
  if (unchangedHere.length < changed.length) kept.push('details')
  const values = Object.fromEntries(unchangedHere.map((name) => [name, their[name]]))
  fields.details = { ...mine, ...values }
}

/** Undoing the merge in the text also restores the fields, unless they were changed again. */
function followUndo(
  form: OpenForm,
  { text }: MergedVersion,
  { before, after }: { before: Fields; after: Fields },
): void {
  let { isUndone } = text.get()
  text.subscribe(() => {
    if (text.get().isUndone === isUndone) return
    isUndone = text.get().isUndone
    const [from, to] = isUndone ? [after, before] : [before, after]
    const { fields } = form.getState()
    const changes = Object.fromEntries(
      (['title', 'tags', 'status', 'details'] as const).flatMap((name) =>
        fields[name] === from[name] ? [[name, to[name]]] : [],
      ),
    )
    form.dispatch({ type: 'fieldsChanged', changes, atMs: Date.now() })
  })
}
