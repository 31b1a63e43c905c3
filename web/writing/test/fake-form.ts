// For tests: the post form without its screen. What is typed is set, calls are played.
import type { PostDocument } from '#contract/posts.ts'
import { type Api, type Failure, succeed } from '../../api/client.ts'
import type { Draft } from '../../drafts/draft.ts'
import { Autosave } from '../autosave.ts'
import { FormDraft } from '../form-draft.ts'
import {
  makeFormState,
  makeFormStore,
  makeLiveState,
  noteChange,
  type OpenForm,
  readValues,
} from '../post-form-state.ts'
import { saveDraft } from '../save-draft.ts'
import { makeSaver } from '../save-post.ts'
import { makeCalls } from './fake-calls.ts'

type Played = {
  opened?: PostDocument
  /** How the calls that save end; then they succeed. */
  save?: Failure[]
  /** What the server has. */
  stored?: PostDocument
}

/** A form of alice, and what became of it. */
export function playForm({ opened, ...answers }: Played = {}) {
  const { calls, log } = makeCalls(answers)
  const store = makeFormStore(makeFormState(opened))
  const shown = { html: opened?.content ?? '', others: [] as Draft[], toasts: [] as string[] }
  const paths: unknown[] = []
  const editor: OpenForm['editor'] = {
    current: {
      read: async () => succeed(shown.html),
      peek: () => shown.html,
      write: (html) => {
        shown.html = html
      },
      reloadImages: () => {},
      focus: () => {},
    },
  }
  const autosave = new Autosave({ isOn: () => true, save: () => saveDraft(form) })
  const live = makeLiveState(opened)
  const draft = new FormDraft({
    post: opened,
    userId: 'alice',
    read: () => ({ ...readValues(form), basedOn: live.basedOn, sent: undefined, image: undefined }),
    onWritten: () => {},
    changeOthers: (change) => {
      shown.others = change(shown.others)
    },
  })
  const form: OpenForm = {
    opened,
    get state() {
      return store.get()
    },
    update: store.update,
    live,
    editor,
    draft,
    saver: makeSaver(calls),
    autosave,
    api: { settings: { contentBucketId: 'content' } } as Api,
    userId: 'alice',
    toasts: { show: ({ text }) => void shown.toasts.push(text) },
    navigate: async (to: unknown) => void paths.push(to),
    noteStored: () => {},
  }
  return {
    form,
    log,
    shown,
    paths,
    write(html: string) {
      shown.html = html
      noteChange(form)
    },
  }
}
