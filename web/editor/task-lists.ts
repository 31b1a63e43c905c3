// Task lists: typed "[ ] " and "[x] ", ticked by a click on the box or by Ctrl+Alt+Enter.

import type { Editor } from 'hugerte'
import { addStep, emptyLine } from './insert-block.ts'
import { closestTo, textOf } from './objects.ts'

const TYPED = /^\[([ \u00a0xX]?)\]\s$/
/** Wide enough for the box before an item (reading/text-objects.css). */
const BOX_PIXELS = 32

export function handleTaskLists(editor: Editor): void {
  editor.on('input SetContent ExecCommand', () => arrangeTasks(editor), true)
  editor.on('NewBlock', ({ newBlock }) => {
    if (!newBlock.matches('.tasks > li')) return
    newBlock.classList.toggle('task', newBlock.previousElementSibling?.matches('.task') ?? false)
    newBlock.classList.remove('done')
  })
  editor.on('input', (event) => readTypedTask(editor, event as InputEvent))
  editor.on('click', (event) => {
    const { target: task, clientX } = event
    if (!(task as Element).matches('li.task') || editor.mode.isReadOnly()) return
    const { left, right } = (task as Element).getBoundingClientRect()
    const isRightToLeft = (task as Element).matches(':dir(rtl)')
    if (isRightToLeft ? clientX > right - BOX_PIXELS : clientX < left + BOX_PIXELS)
      toggle(editor, task as Element)
  })
  editor.on(
    'keydown',
    (event) => {
      const task = closestTo(editor.selection.getNode(), 'li.task')
      const isKey = event.key === 'Enter' && event.altKey && (event.ctrlKey || event.metaKey)
      if (!task || !isKey || editor.mode.isReadOnly()) return
      event.preventDefault()
      event.stopImmediatePropagation()
      toggle(editor, task)
    },
    true,
  )
}

/** Makes the list at the caret a task list, or a plain one again. */
export function insertTaskList(editor: Editor): void {
  if (editor.mode.isReadOnly()) return
  editor.focus()
  addStep(editor, () => {
    const list = closestTo(editor.selection.getNode(), 'ul, ol')
    if (list?.matches('.tasks')) {
      list.removeAttribute('class')
      return arrangeTasks(editor)
    }
    if (list?.nodeName !== 'UL') editor.execCommand('InsertUnorderedList')
    const tasks = closestTo(editor.selection.getNode(), 'ul')
    tasks?.classList.add('tasks')
    for (const item of tasks?.children ?? []) item.classList.add('task')
    arrangeTasks(editor)
  })
}

/** Only items of task lists are tasks, also after lists were split or nested. */
function arrangeTasks(editor: Editor): void {
  const body = editor.getBody()
  if (editor.removed || !body.querySelector('.tasks, .task')) return
  for (const task of body.querySelectorAll('.tasks ul:not(.tasks) > .task'))
    task.parentElement?.classList.add('tasks')
  for (const item of body.querySelectorAll('.task:not(ul.tasks > li), .tasks:not(ul)')) {
    item.classList.remove('task', 'done', 'tasks')
    if (item.classList.length === 0) item.removeAttribute('class')
  }
}

function toggle(editor: Editor, task: Element): void {
  addStep(editor, () => void task.classList.toggle('done'))
}

function readTypedTask(editor: Editor, { data, inputType, isComposing }: InputEvent): void {
  if (inputType !== 'insertText' || !data || !/^\s$/.test(data) || isComposing) return
  const { dom, selection } = editor
  const block = dom.getParent<HTMLElement>(selection.getNode(), 'p, li')
  const item = block?.closest('li')
  if (!block || (item && !item.parentElement?.matches('ul')) || block.closest('.footnotes')) return
  const range = selection.getRng().cloneRange()
  range.setStart(block, 0)
  const typed = TYPED.exec(textOf(range.cloneContents()))
  if (!typed) return
  addStep(editor, () => {
    range.deleteContents()
    if (dom.isEmpty(block)) emptyLine(editor, block)
    if (!item) editor.execCommand('InsertUnorderedList')
    const task = dom.getParent(selection.getNode(), 'li')
    task?.parentElement?.classList.add('tasks')
    task?.classList.add('task')
    arrangeTasks(editor)
    task?.classList.toggle('done', /x/i.test(typed[1] ?? ''))
  })
}
