// The actions of the buttons in the form's messages: restore or discard another draft, compare two
// versions and choose one, sign in again.
import type { PostDocument } from '#contract/posts.ts'
import { getAccount } from '../accounts/accounts-api.ts'
import type { ReturnState } from '../accounts/return-path.ts'
import type { Viewer } from '../accounts/viewer.tsx'
import { type Draft, draftStore } from '../drafts/draft-store.ts'
import { texts } from '../locales/texts.ts'
import type { PostData } from '../posts/posts-api.ts'
import { changeFields, handleTyping, newPostPath, type OpenForm, readContent } from './open-form.ts'
import { slugWhileTyping } from './post-values.ts'
import { isSamePost } from './save-post.ts'
import { submit } from './submit-post.ts'
import { restoreTextImages } from './text-images.ts'

/** Offers other drafts on this device. One that equals the post is discarded without asking. */
export async function findOtherDrafts(form: OpenForm): Promise<void> {
  const { opened, draft, dispatch } = form
  const { isPage } = form.getState()
  const drafts = await draft.listOthers()
  const others = drafts.filter((other) => isPage === (other.isPage ?? false))
  const isSame = (other: Draft) => !other.hasImage && isSamePost(opened, other)
  for (const other of others.filter(isSame)) void draftStore.discardUnchanged(draft.owner, other)
  dispatch({ type: 'draftsFound', drafts: others.filter((other) => !isSame(other)) })
}

/** Puts another draft into the form. The text of the form becomes one of the other drafts. */
export function restore(form: OpenForm, other: Draft): void {
  const { opened, dispatch, draft, saver } = form
  stash(form)
  draft.continueWith(other)
  // The server may have the draft already: it may have been sent as a new post before a crash, or
  // as an update when its page was left or reloaded.
  saver.unansweredCreate = other.sent
  saver.unansweredUpdate = postDataOf(form, other)
  const fixedSlug = opened?.$id ?? other.sent?.slug
  dispatch({
    type: 'draftRestored',
    draft: other,
    slug: fixedSlug ?? (other.slug || slugWhileTyping(other.title, Date.now())),
    basedOn: other.basedOn ?? opened?.$updatedAt,
  })
  form.editor.current?.write(other.content)
  handleTyping(form)
  void restoreImages(form, other)
}

async function restoreImages(form: OpenForm, { id, hasImage, content }: Draft): Promise<void> {
  const { api, userId, editor, getState } = form
  if (hasImage)
    void draftStore.findImage({ userId, id }).then((image) => {
      if (image && !getState().fields.image) changeFields(form, { image })
    })
  const hasRestored = await restoreTextImages(api, { userId, html: content })
  if (hasRestored) editor.current?.reloadImages()
}

/** The text of the form becomes one of the other drafts. */
function stash({ draft, dispatch }: OpenForm): void {
  const stashed = draft.stash()
  if (stashed) dispatch({ type: 'draftStashed', draft: stashed })
}

/** Deletes another draft. If a reload has sent its text to the server, that may be overwritten. */
export function discard(form: OpenForm, other: Draft): void {
  form.saver.unansweredUpdate = postDataOf(form, other)
  form.dispatch({ type: 'draftDiscarded', id: other.id })
  void draftStore.discard(form.draft.owner, other.id)
}

function postDataOf({ getState }: OpenForm, other: Draft): PostData {
  return { ...other, featuredImage: getState().post?.featuredImage ?? '' }
}

/** Shows the newer version, which autosaving did not overwrite, beside the text of the form. */
export function compare(form: OpenForm): void {
  const { newerPost: post } = form.getState()
  const content = readContent(form)
  if (post) form.dispatch({ type: 'conflictFound', post, content, isFromAutosave: true })
}

/**
 * Saves the text of the form over the newer version. The featured image is that of the newer
 * version, unless another was chosen.
 */
export function keepLocal(form: OpenForm): void {
  const { conflict, post } = form.getState()
  if (!conflict) return
  const { stored, isFromAutosave } = conflict
  // Only a press of "Update" changes a post that was published meanwhile.
  const isPublished = isFromAutosave && stored.status === 'active' && post?.status !== 'active'
  form.dispatch({ type: isPublished ? 'publishedMeanwhile' : 'basedOnNewer', post: stored })
  if (isFromAutosave) {
    handleTyping(form)
    if (!isPublished) void form.autosave.saveNow()
  } else submit(form, { showsPublished: form.showsPublished ?? false })
}

/** Continues with the newer version; the text of the form becomes one of the other drafts. */
export function takeStored(form: OpenForm): void {
  const { conflict } = form.getState()
  if (!conflict) return
  handleTyping(form)
  stash(form)
  showStored(form, conflict.stored)
}

/** Replaces the text of the form with that of the server. */
export function showStored(form: OpenForm, post: PostDocument): void {
  form.dispatch({ type: 'replacedByNewer', post })
  form.editor.current?.write(post.content)
  form.autosave.reset()
}

/**
 * Checks who is signed in. If nobody is, the writer goes to /login and comes back, and the draft
 * waits on this device. If another user is, the draft waits for its writer, and the form is empty.
 */
export async function signInAgain(form: OpenForm, viewer: Pick<Viewer, 'refresh'>): Promise<void> {
  const { api, userId, toasts, dispatch, editor, opened, navigate } = form
  form.draft.write()
  const account = await getAccount(api)
  if (account.ok && account.value.$id === userId) {
    dispatch({ type: 'signedInAgain' })
    toasts.show({ kind: 'ok', text: texts.signedInAgain.same })
    handleTyping(form)
    editor.current?.focus()
    await viewer.refresh() // otherwise the page still says that the session has ended
    return
  }
  if (!account.ok && account.failure.code !== 401)
    return toasts.show({ kind: 'error', text: texts.failures.noAnswer })
  dispatch({ type: 'leftForSignIn' })
  if (account.ok) toasts.show({ kind: 'ok', text: texts.signedInAgain.other(account.value.name) })
  // A new draft that was stored meanwhile is edited at an address of its own.
  const { post } = form.getState()
  const from = post ? `/edit-post/${post.$id}` : newPostPath(form)
  if (account.ok && post && !opened) await navigate(from, { replace: true })
  if (await viewer.refresh()) return
  await navigate('/login', { state: { from, hasSessionEnded: true } satisfies ReturnState })
}
