// For tests: the post form without its screen. Typing sets the text of the editor; calls are faked.
import type { PostDocument } from '#contract/posts.ts'
import { type Api, type Failure, succeed } from '../../api/client.ts'
import { createSharedValue } from '../../ui/shared-value.ts'
import { handleTyping, type OpenForm } from '../open-form.ts'
import { createOpenForm } from '../use-post-form.ts'
import { makeCalls } from './fake-calls.ts'

type FakeFormOptions = {
  opened?: PostDocument
  /** The failures of the saving calls, in order; further calls succeed. */
  save?: Failure[]
  /** The post on the server. */
  stored?: PostDocument
  /** The text after a merge; without it merging is impossible. */
  merged?: string
  /** How many paragraphs both sides have changed. */
  conflicts?: number
}

/** A form of alice, which records its calls, toasts and navigations. */
export function createFakeForm({
  opened,
  merged,
  conflicts = 0,
  ...answers
}: FakeFormOptions = {}) {
  const { calls, log } = makeCalls(answers)
  const toasts: string[] = []
  const paths: unknown[] = []
  const context = {
    api: { settings: { contentBucketId: 'content' } } as Api,
    userId: 'alice',
    toasts: { show: ({ text }: { text: string }) => void toasts.push(text) },
    navigate: async (to: unknown) => void paths.push(to),
    onStored: () => {},
  }
  const form: OpenForm = createOpenForm(opened, context, calls)
  const editor = { html: opened?.content ?? '' }
  const merge = makeMerge(conflicts)
  form.editor.current = {
    read: async () => succeed(editor.html),
    peek: () => editor.html,
    write: (html) => {
      editor.html = html
    },
    merge: async () => {
      if (merged === undefined) return undefined
      editor.html = merged
      return merge
    },
    reloadImages: () => {},
    focus: () => {},
    showCaret: () => {},
  }
  return {
    form,
    log,
    toasts,
    paths,
    editor,
    merge,
    type(html: string) {
      editor.html = html
      handleTyping(form)
    },
    /** Waits until a save that was requested has ended. */
    async whenSaved() {
      await new Promise<void>((resolve) => {
        const check = () => {
          if (!form.getState().isSaving) resolve()
        }
        form.subscribe(check)
        check()
      })
    },
  }
}

function makeMerge(count: number) {
  const ids = Array.from({ length: count }, (_, at) => ({
    id: `c${at}`,
    hasMine: true,
    hasTheirs: true,
  }))
  const state = createSharedValue({ conflicts: ids, isUndone: false })
  return {
    ...state,
    choose: () => state.set({ ...state.get(), conflicts: state.get().conflicts.slice(1) }),
    show: () => {},
    removeMarks: () => {},
    setUndone: (isUndone: boolean) => state.set({ ...state.get(), isUndone }),
  }
}
