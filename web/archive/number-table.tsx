// A table of what an import has, or brings: it scrolls on its own when there is little room.
import type { ReactNode } from 'react'
import { ScrollRegion } from '../ui/scroll-region.tsx'

type NumberTableProps = {
  label: string
  columns?: readonly [things: string, numbers: string]
  rows: readonly { name: string; hint?: ReactNode; number: string }[]
}

export function NumberTable({ label, columns, rows }: NumberTableProps) {
  return (
    <ScrollRegion className="scroll-x" label={label}>
      <table className="table">
        {columns && (
          <thead>
            <tr>
              <th scope="col">{columns[0]}</th>
              <th scope="col" className="table__number">
                {columns[1]}
              </th>
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(({ name, hint, number }) => (
            <tr key={name}>
              <th scope="row">
                {name}
                {hint && <small className="quiet archive-table__hint">{hint}</small>}
              </th>
              <td className="table__number">{number}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
