// The head of the form's page: its title, and what can be done with the text besides writing it.
import type { ReactNode } from 'react'

export function FormHead({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="page-head">
      <h1>{name}</h1>
      <div className="page-head__tools">{children}</div>
    </div>
  )
}
