// The HTML of comments, stored beside their text. What is there already has none, and is rendered
// for each answer.
export const statements = () => [
  `alter table comment add column html text not null default ''`,
  `alter table comment add column renderer text not null default ''`,
]
