import { expect, it } from 'vitest';
import { type AnyVersion, type Branch, branchesOf } from './branches.ts';

const message = (id: string, parentId: string | null): AnyVersion => ({
  id,
  parentId,
  role: 'user',
  content: id,
  visible: true,
});

/** Returns the branch as nested lists of ids. */
const idsOf = ({ messages, branches }: Branch): unknown[] => [
  ...messages.map(({ id }) => id),
  ...branches.map(idsOf),
];

it('versions form a tree: consecutive messages without alternatives are one branch', () => {
  const versions = [
    message('q', null),
    message('a1', 'q'),
    message('q2', 'a1'),
    message('b', 'q2'),
    message('a2', 'q'),
    message('other', null),
  ];
  expect(branchesOf(versions).map(idsOf)).toEqual([['q', ['a1', 'q2', 'b'], ['a2']], ['other']]);
  expect(branchesOf([])).toEqual([]);
});
