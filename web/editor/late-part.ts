// Parts of the editor's package that only some texts need: they are loaded when they are first
// used, and until then something small stands in for them.

import hugerte, { type Editor } from 'hugerte'
import { texts } from '../locales/texts.ts'
import { loadCode } from '../ui/load-code.ts'

type LatePartNeeds = {
  /** Makes the real part known to the package, in place of what stands in for it. */
  load: () => Promise<unknown>
  /** Sets the real part up in an editor that is on the screen already. */
  setUp: () => void
  /** They wait until the part is there. */
  commands: readonly string[]
}

export type LatePart = {
  /** @returns whether it is there now */
  bring: () => Promise<boolean>
  isThere: () => boolean
}

const EARLY = /^(?:PreInit|init)$/

/** A part that has not been loaded for this editor. */
export function makeLatePart(editor: Editor, needs: LatePartNeeds): LatePart {
  const { commands, load, setUp } = needs
  let coming: Promise<boolean> | undefined
  let isThere = false
  const waiting = (event: Order) => {
    if (!commands.includes(event.command)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    void bring().then((came) => {
      if (came) editor.execCommand(event.command, event.ui, event.value)
      else if (!editor.removed) tellMissing(editor)
    })
  }
  const bring = () => {
    coming ??= loadCode(load).then(
      () => {
        if (editor.removed) return false
        editor.off('BeforeExecCommand', waiting)
        afterStart(editor, setUp)
        isThere = true
        return true
      },
      () => {
        coming = undefined
        return false
      },
    )
    return coming
  }
  editor.on('BeforeExecCommand', waiting, true)
  return { bring, isThere: () => isThere }
}

/** Sets a plugin up as the package does it. */
export function setUpPlugin(editor: Editor, name: string): void {
  editor.plugins[name] = hugerte.PluginManager.get(name)?.(editor, '') ?? {}
}

type Order = {
  command: string
  ui?: boolean
  value?: unknown
  preventDefault: () => void
  stopImmediatePropagation: () => void
}

/** What waits for the start of the editor is done at once: that was long ago. */
function afterStart(editor: Editor, setUp: () => void): void {
  const { on } = editor
  Object.assign(editor, {
    on: (name: string, act: () => void, isFirst?: boolean) =>
      EARLY.test(name) ? act.call(editor) : on.call(editor, name, act, isFirst),
  })
  try {
    setUp()
  } finally {
    editor.on = on
  }
}

/** Says that what was asked for could not be loaded. */
export function tellMissing(editor: Editor): void {
  editor.notificationManager.open({ text: texts.editor.toolFailed, type: 'error', timeout: 8000 })
}
