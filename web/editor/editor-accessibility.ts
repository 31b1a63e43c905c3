// Corrects the roles and names of the editor's menus for screen readers, where the
// package sets them wrongly or not at all. Depends only on the package's class names.

import type { Editor } from 'hugerte'
import { texts } from '../locales/texts.ts'

/** The element into which the package puts menus and tooltips. */
const OPENED = '.tox-hugerte-aux'

/** No selector matches its element after the fix, so that the observer does not loop. */
const FIXES: [selector: string, fix: (element: HTMLElement) => void][] = [
  // `aria-selected` is for options and tabs; in menus the focus is enough.
  [
    ':is([role^=menuitem], .tox-fancymenuitem)[aria-selected]',
    (item) => item.removeAttribute('aria-selected'),
  ],
  ['.tox-fancymenuitem:not([role])', (grid) => grid.setAttribute('role', 'group')],
  ['.tox-insert-table-picker > [role=button]', (size) => size.setAttribute('role', 'menuitem')],
  ['[role=listbox]:has([role=menu])', (box) => box.removeAttribute('role')],
  ['.tox-collection__item-accessory:not([data-keys])', showShortcut],
]

/** Fixes menus when they open, until the editor is removed. */
export function fixAccessibleNames(editor: Editor): void {
  editor.on('init', () => {
    const watcher = new MutationObserver(() => fixAll())
    for (const container of document.querySelectorAll(OPENED)) {
      // This element is a child of the body, outside of every landmark.
      container.setAttribute('role', 'region')
      container.setAttribute('aria-label', texts.editor.opened)
      watcher.observe(container, {
        subtree: true,
        childList: true,
        attributeFilter: ['aria-selected', 'aria-label', 'role'],
      })
    }
    editor.on('remove', () => watcher.disconnect())
  })
  editor.on('SetContent', () => namePlayers(editor))
}

/** Names the images that represent players in the text. The names are not saved. */
function namePlayers(editor: Editor): void {
  const players = editor.dom.select<HTMLImageElement>('img[data-mce-object]:not([alt])')
  for (const player of players) player.alt = texts.player.name
}

function fixAll(): void {
  for (const [selector, fix] of FIXES)
    for (const element of document.querySelectorAll<HTMLElement>(`${OPENED} :is(${selector})`))
      fix(element)
}

/**
 * Takes a shortcut, such as "Ctrl+B", out of the name of its menu item; editor-frame.css shows it
 * from `data-keys`.
 */
function showShortcut(shortcut: HTMLElement): void {
  const keys = shortcut.textContent ?? ''
  shortcut.dataset.keys = keys
  shortcut.textContent = ''
  shortcut
    .closest('[role^=menuitem]')
    ?.setAttribute('aria-keyshortcuts', keys.replace('Ctrl', 'Control').replace('⌘', 'Meta+'))
}
