// What the editor's menus and dialogs tell screen readers, put right where the package tells it
// wrongly or not at all. Knows the package's marks, and nothing of what the menus do.

import type { Editor } from 'hugerte'
import { texts } from '../locales/texts.ts'

/** Where the package puts all that opens: menus, dialogs, hints. */
const OPENED = '.tox-hugerte-aux'

/** Each mend leaves an element that its own selector no longer finds, so that watching ends. */
const MENDS: [selector: string, mend: (element: HTMLElement) => void][] = [
  // Being selected is said of options and tabs only; in menus the focus says it.
  [
    ':is([role^=menuitem], .tox-fancymenuitem)[aria-selected]',
    (item) => item.removeAttribute('aria-selected'),
  ],
  ['.tox-fancymenuitem:not([role])', (grid) => grid.setAttribute('role', 'group')],
  ['.tox-insert-table-picker > [role=button]', (size) => size.setAttribute('role', 'menuitem')],
  ['[role=listbox]:has([role=menu])', (box) => box.removeAttribute('role')],
  ['.tox-collection__item-accessory:not([data-keys])', showShortcut],
  ['.tox-listbox[aria-label]', nameByLabelAndChoice],
  [
    ':is(.tox-color-input > [aria-haspopup], .tox-dialog .tox-collection__item):not([role])',
    (button) => button.setAttribute('role', 'button'),
  ],
  ['.tox-dialog textarea:not([aria-label], [id])', nameByDialog],
  // Long panels scroll.
  ['.tox-dialog [role=tabpanel]:not([tabindex])', (panel) => panel.setAttribute('tabindex', '0')],
]

/** Mends what is open, from now until the editor goes. */
export function mendNames(editor: Editor): void {
  editor.on('init', () => {
    const watcher = new MutationObserver(() => mendAll())
    for (const place of document.querySelectorAll(OPENED)) {
      // Outside of everything else on the page: a place of its own.
      place.setAttribute('role', 'region')
      place.setAttribute('aria-label', texts.editor.opened)
      watcher.observe(place, {
        subtree: true,
        childList: true,
        attributeFilter: ['aria-selected', 'aria-label', 'role'],
      })
    }
    editor.on('remove', () => watcher.disconnect())
  })
}

function mendAll(): void {
  for (const [selector, mend] of MENDS)
    for (const found of document.querySelectorAll<HTMLElement>(`${OPENED} :is(${selector})`))
      mend(found)
}

/** "Ctrl+B" stands beside the name and is no part of it: the sheet shows it (editor-frame.css). */
function showShortcut(shortcut: HTMLElement): void {
  const keys = shortcut.textContent ?? ''
  shortcut.dataset.keys = keys
  shortcut.textContent = ''
  shortcut
    .closest('[role^=menuitem]')
    ?.setAttribute('aria-keyshortcuts', keys.replace('Ctrl', 'Control').replace('⌘', 'Meta+'))
}

/** A list says what is chosen in it, not only what it is for. */
function nameByLabelAndChoice(list: HTMLElement): void {
  const label = document.querySelector<HTMLElement>(`label[for="${CSS.escape(list.id)}"]`)
  list.removeAttribute('aria-label')
  if (!label) return
  label.id ||= `${list.id}-label`
  list.setAttribute('aria-labelledby', `${label.id} ${list.id}`)
}

function nameByDialog(field: HTMLElement): void {
  field.ariaLabel =
    field.closest('.tox-dialog')?.querySelector('.tox-dialog__title')?.textContent ?? ''
}
