// The spinning ring. Decoration: a text beside it says what is going on.
import { LoaderCircle } from 'lucide-react'

export function Spinner() {
  return <LoaderCircle className="icon spinner" aria-hidden="true" />
}
