// The box behind a small control (`details.post-info`) opens without scripts; with this one, which
// needs no app, Esc closes it and the focus is on its control again.

/** Runs in the head (head-script.ts). */
export function closeDetails(): void {
  addEventListener('keydown', ({ key }) => {
    const open = key === 'Escape' && document.querySelector<HTMLDetailsElement>('.post-info[open]')
    if (!open) return
    open.open = false
    open.querySelector('summary')?.focus()
  })
}
