create table berths (
	id     bigint generated always as identity primary key,
	length numeric(5, 2) not null check (length > 0)
);
